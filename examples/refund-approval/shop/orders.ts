// The shop's orders. A real shop asks its database here.

export interface Order {
  readonly orderId: string;
  readonly item: string;
  readonly paidCents: number;
}

const orders: readonly Order[] = [
  { orderId: "A-1041", item: "Light bulb", paidCents: 9_50 },
  { orderId: "A-1042", item: "Desk lamp, brass", paidCents: 89_00 },
];

export function findOrder(orderId: string): Order | undefined {
  return orders.find((order) => order.orderId === orderId);
}
