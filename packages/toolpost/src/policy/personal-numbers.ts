// Which numbers are what they look like: by check sum where there is one, by range and count of digits elsewhere.
// It only measures what has the form already; where to look for it is the redactor's part.

/** Length of the card number at the start of the text: known first digit, ISO/IEC 7812-1 check digit (Luhn); else 0. */
export function cardLength(found: string): number {
  const digits = found.replace(/[ -]/g, "");
  if (digits.length < 13 || digits.length > 19 || !/^[2-6]/.test(digits) || /^(\d)\1*$/.test(digits)) return 0;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighed = index % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0 ? found.length : 0;
}

/** Length of the account number at the start of the text (ISO 13616, check sum of ISO 7064); a word may follow it. */
export function ibanLength(found: string): number {
  for (let length = found.length; length >= 15; length = found.lastIndexOf(" ", length - 1)) {
    const account = found.slice(0, length).replace(/[ -]/g, "");
    if (account.length >= 15 && account.length <= 34 && remainder97(account) === 1) return length;
  }
  return 0;
}

/** Length of the phone number that the text is: 7 to 15 digits (ITU-T E.164), 9 at least without a country's. */
export function phoneLength(found: string): number {
  const { length } = found.replace(/\D/g, "");
  return length >= (found.startsWith("+") ? 7 : 9) && length <= 15 ? found.length : 0;
}

/** Length of the IP address (version 4 or 6) that the text is; `::` alone and words of hexadecimal letters are none. */
export function ipLength(found: string): number {
  return /\d/.test(found) && process.getBuiltinModule("node:net").isIP(found) !== 0 ? found.length : 0;
}

/** Country and check digits move to the end, letters count from 10; what is left by 97. */
function remainder97(account: string): number {
  let rest = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
