import assert from "node:assert/strict";
import { test } from "node:test";
import { isToolpostError } from "../core/errors.ts";
import { maskPersonalData, type PersonalDataKind } from "./mask-personal-data.ts";

const everyKind: readonly PersonalDataKind[] = ["email", "card", "phone", "iban", "ssn", "ip"];
const maskAll = maskPersonalData(everyKind);

/** What is found stands between `«` and `»`. */
const found: Readonly<Record<PersonalDataKind, readonly string[]>> = {
  email: [
    "write to «bob@example.com», or <«ann.o'neil+news@mail.example.co.uk»>.",
    '{"email":"«bob@example.com»","cc":["«x_y@example.org»"]}',
    "«jürgen@müller.de» and «用户@例子.广告» and «bob@xn--mller-kva.de»",
    '"first\\n«bob@example.com»\\nsecond"',
    "mailto:«bob@example.com»?subject=x",
  ],
  card: [
    "card «4111111111111111», «5500 0000 0000 0004» and «3782-822463-10005»",
    '{"pan":"«6011000990139424»","x":«4012888888881881»}',
    "«4222222222222» «4111 1111 1111 1111 110»",
  ],
  phone: [
    "call «+49 30 1234567», «+1 (555) 123-4567» or «+14155552671»",
    "«(415) 555-2671», «415-555-2671», «415.555.2671», «1-415-555-2671»",
    "«030 1234567», «(0170) 1234567», «030/1234567», «01 23 45 67 89», «07911 123456»",
  ],
  iban: [
    "IBAN «DE89370400440532013000», «GB29 NWBK 6016 1331 9268 19» BIC X",
    "«DE89 3704 0044 0532 0130 00» and «FR14 2004 1010 0505 0001 3M02 606» PAID NOW",
    "«NO9386011117947»",
  ],
  ssn: ["SSN «123-45-6789», «001 02 0003»"],
  ip: [
    "from «203.0.113.7» to «10.0.0.1»:8080, «192.168.0.0»/16",
    "«2001:db8::1», [«fe80::1ff:fe23:4567:890a»]:80, «::1», «2001:0db8:85a3:0000:0000:8a2e:0370:7334», «::ffff:203.0.113.7»",
  ],
};

for (const kind of everyKind) {
  test(`finds each ${kind}, and nothing else`, () => {
    for (const marked of found[kind]) {
      const text = marked.replace(/[«»]/g, "");
      const expected = marked.replace(/«[^»]*»/g, `[${kind}]`);
      assert.equal(maskPersonalData([kind])(text, true), expected);
      assert.equal(maskAll(text, true), expected);
    }
  });
}

test("other things stay readable", () => {
  for (const text of [
    "npm i @scope/name name@1.2.3 lodash@latest user@host @bob a @ b",
    "4111111111111112 1234567890123456 1714557600000 0000000000000000 4111-1111-1111-1112",
    "2024-05-01T10:20:30.123Z 01-02-2024 12:30 10:20:30 aa:bb:cc:dd:ee:ff",
    "order 123456789, 3.14159265358979, 1,234,567, 12 345 678, v1.2.3, 1.2.3.4.5, 999.1.1.1, 256.0.0.1",
    "123e4567-e89b-12d3-a456-426614174000 d41d8cd98f00b204e9800998ecf8427e sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934c",
    "DE89370400440532013001 AB12CDEF GB29NWBK",
    "000-12-3456 666-12-3456 900-12-3456 123-00-4567 123-45-0000",
    "std::vector a::b :: Foo::Bar",
    "[email] [card] [phone] [iban] [ssn] [ip]",
  ]) {
    assert.equal(maskAll(text, true), text);
  }
});

test("only the kinds that were asked for are masked", () => {
  const text = "bob@example.com 4111111111111111 203.0.113.7";
  assert.equal(maskPersonalData(["card"])(text, true), "bob@example.com [card] 203.0.113.7");
  assert.equal(maskPersonalData([])(text, true), text);
});

test("a kind there is not is refused: it would mask nothing", () => {
  for (const kind of ["mail", "toString", ""]) {
    assert.throws(
      () => maskPersonalData([kind as PersonalDataKind]),
      (error) =>
        isToolpostError(error) && error.code === "app.invalid" && error.message.startsWith(`\`${kind}\` is no kind`),
    );
  }
});

test("what the end of a cut text cuts is masked as far as it goes", () => {
  assert.equal(maskPersonalData(["email"])("write to bob@exa", false), "write to [email]");
  assert.equal(maskPersonalData(["email"])("write to bob@", false), "write to [email]");
  assert.equal(maskPersonalData(["card"])("card 4111 1111 11", false), "card [card]");
  assert.equal(maskPersonalData(["iban"])("iban DE89 3704 00", false), "iban [iban]");
  assert.equal(maskPersonalData(["phone"])("call +49 30 12", false), "call [phone]");
  assert.equal(maskPersonalData(["ip"])("from 203.0.11", false), "from [ip]");
  assert.equal(maskAll("in 2024 it was 17", false), "in 2024 it was 17");
});

test("time grows with the length of a text, whatever it holds", () => {
  const units = [
    "a@",
    "@",
    "a",
    "a.",
    "@a.",
    "@a-",
    "1",
    "1 ",
    "12 ",
    "1234 ",
    "1234-",
    "4111 1111 ",
    "+1",
    "+1 ",
    "(0",
    "01 23 ",
    "DE89",
    "AB12 ",
    "ABCD ",
    ":",
    "::1",
    "1:",
    "1.",
    "1.1.1.",
    "aaaaaaaa@b",
    "(555) ",
  ];
  for (const unit of units) {
    const text = unit.repeat(200_000 / unit.length);
    for (const isComplete of [true, false]) {
      assert.equal(typeof maskAll(text, isComplete), "string");
    }
  }
});
