/** An amount as people read it: `€89.00`. */
export function euros(cents: number): string {
  return `€${(cents / 100).toFixed(2)}`;
}
