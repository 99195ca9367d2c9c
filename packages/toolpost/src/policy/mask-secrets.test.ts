import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { maskSecrets } from "./mask-secrets.ts";

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc+/=\n-----END RSA PRIVATE KEY-----";

/** What is hidden stands between `«` and `»`. */
const secrets: Readonly<Record<string, readonly string[]>> = {
  "key blocks": [
    `before «${pem}» after`,
    "«-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----»\n«-----BEGIN OPENSSH PRIVATE KEY-----\nb3B\n-----END OPENSSH PRIVATE KEY-----»",
    "«-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF\n-----END PGP PRIVATE KEY BLOCK-----»",
    "«---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56\n---- END SSH2 ENCRYPTED PRIVATE KEY ----»",
    '{"pem":"«-----BEGIN EC PRIVATE KEY-----\\nMHcCAQEE\\n-----END EC PRIVATE KEY-----»\\n"}',
    "pem=«-----BEGIN+PRIVATE+KEY-----%0AMII%0A-----END+PRIVATE+KEY-----»&x=1",
    "open «-----BEGIN PRIVATE KEY-----\nMIIEvQ\n\nand whatever comes then»",
    "«-----BEGIN PRIVATE KEY-----\n-----END CERTIFICATE-----\nMII»",
  ],
  "passwords in URLs": [
    "pg://user:«pw»@host/db",
    "no route to pg://user:«p%40ss%2Fw»@db.example.com:5432/x?a=b",
    "redis://:«hunter2»@cache:6379/0",
    "https://user:«12345»@host/",
    "mongodb+srv://u:«p»@h1.example.com:27017,h2.example.com:27017/db",
    "smtp://bob@example.com:«pw»@smtp.example.com:25",
    "pg://user:«p@ss»@host/db",
    "pg://user:«p@ss.word»@db.example.com/x",
    "pg://user:«p/s#s?w»@host/db",
    "pg://user:«p@ss/w#r?d»@host/db",
    "pg://user:«p'w\"x`y<3>{}[]|\\^»@host/db",
    "pg://user:«pw»@db.example.com/x?mail=bob@example.com",
    "https://user:«pw»@registry.npmjs.org/@scope/pkg@1.2.3",
    "pg://u:«p1»@a.example.com,pg://u:«p2»@b.example.com",
    `connect("pg://u:«pw»@h", "a@b.c") or 'pg://u:«pw»@h'`,
    'jdbc:postgres:\\/\\/u:«pw»@host\\/db and "pg:\\\\/\\\\/u:«pw»@host"',
    "url=pg%3A%2F%2Fuser%3A«pw%2540»%40host%2Fdb&x=1",
    "url=pg%253A%252F%252Fuser%253A«pw»%2540host%252Fdb",
  ],
  "authorization headers": [
    "Authorization: Bearer «abc»",
    "authorization: bearer «1|abc:def»",
    "Authorization: Basic «dXNlcjpwdw==»\r\nAccept: */*",
    "Proxy-Authorization: Basic «YTpi»",
    '{"Authorization":"Bearer «a.b-c_d~e+f/g==»","x":1}',
    '"{\\"Authorization\\":\\"Bearer «abc»\\"}"',
    "curl -H 'Authorization: token «abc123»' https://api.example.com",
    'headers.set("Authorization", "Bearer «abc1»")',
    "sent Bearer «abc123def456», got 401",
    "auth was Basic «dXNlcjpwYXNzd29yZA==.»",
    "Authorization: «abc123»",
    '"authorization": "«AbC123»"',
    "authorization=Bearer+«abc»&x=1",
  ],
  "tokens of known form": [
    "«sk-proj-abcdefghijklmnopqrstuvwxyz0123456789»",
    "key «sk-abcdefghijklmnopqrstuvwxyz», «sk-1234abcd»",
    "«sk-ant-api03-AbC-dEf_gHi»",
    "«sk_live_4eC39HqLyjWDarjtT1zdp7dc» «rk_live_abc123» «sk_test_4eC39HqL»",
    "«ghp_16C7e42F292c6912E7710c838347Ae178B4a» «gho_abcdefgh12» «ghu_abcdefgh12» «ghs_abcdefgh12» «ghr_abcdefgh12»",
    "«github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz»",
    "«glpat-abcDEF-123_456»",
    "«xoxb-123456789012-abcdefABCDEF» «xoxp-1234567890» «xapp-1-A111-222-abcdef»",
    "«AKIAIOSFODNN7EXAMPLE» and «ASIAIOSFODNN7EXAMPLE»",
    "«AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe»",
    "«ya29.a0AfH6SMBx-abc_def»",
    "//registry.npmjs.org/:_authToken=«npm_abcdefghijklmnopqrstuvwxyz0123456789»",
    `session ${`«${jwt}»`} and «eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.»`,
    `next-auth-«${jwt}»`,
    `"log":"first\\n«ghp_abcdefgh1234»\\tsecond\\u0022«sk-abcdefgh1234»" a%3D«glpat-abcdefgh1234»`,
    "\x1b[31m«ghp_abcdefgh1234»\x1b[0m",
  ],
  "fields of JSON": [
    '{"password":"«hunter2»","user":"bob"}',
    '{"password": "«hun\\"ter2\\\\»", "x": 1}',
    '{\n  "token" :\n    "«abc»"\n}',
    '{"apiKey":"«a»","api_key":"«b1»","api-key":"«c1»"}'.replace("«a»", "«a1»"),
    '{"accessToken":"«a1»","refresh_token":"«b1»","clientSecret":"«c1»","private_key":"«d1»"}',
    '{"DB_PASSWORD":"«x»","stripeSecretKey":"«abc»","SecretString":"«abc»","password2":"«x»"}',
    '{"token":["«abc»", "«def»"],"x":["y"]}',
    '{"password":«12345»,"pin":1}',
    '{"name":"DB_PASSWORD","value":"«hunter2»"}',
    '"{\\"password\\":\\"«hun\\\\\\"ter2»\\",\\"x\\":1}"',
    '{\\\\\\"secret\\\\\\": \\\\\\"«x y»\\\\\\", \\\\\\"b\\\\\\": 1}',
    '{"secret":"«correct horse battery staple»"}',
    '{"password":"«[secret]hunter2»"}',
  ],
  "fields of configuration and code": [
    "password: «hunter2»",
    "password: «hunter2» on host db1",
    "user: bob\npasswd: «p@ss,w;d&x(y)»\nhost: db",
    "passphrase: «correct horse battery staple»\nnext: 1",
    "password: \"«hunter2»\"\nother: 'x'",
    "password: '«it''s»' # comment",
    "DB_PASSWORD=«hunter2»\nDB_HOST=db",
    "export API_TOKEN=«abc»; run",
    "DB_PASS=«x»",
    "aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»",
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«abc+/def==»;EndpointSuffix=core",
    "Endpoint=sb://x;SharedAccessKeyName=n;SharedAccessKey=«abc=»",
    "Server=db;User Id=sa;Password=«p w»;Encrypt=true".replace("«p w»", "«pw»"),
    'const password = "«hunter2»";',
    'password: string = "«hunter2»"',
    'var token string = "«abc1»"',
    "token := '«abc1»'",
    "'token' => '«abc1»',",
    "db.password=«hunter2»",
    '{"config":"user: bob\\npassword: «hunter2»\\nhost: db"}',
    "- name: DB_PASSWORD\n  value: «hunter2»",
    "login(user='bob', password='«hunter2»', token=b\"«abc»\")",
    'text = """x""" ; secret = """«a "quoted" text»"""',
    "mysql --user bob --password «hunter2» --host db",
    "tool --token=«abc» --verbose",
    "<password>«hunter2»</password><user>bob</user>",
    "API key: «abc123»",
    "x-api-key: «abc123»",
    "password: `«hunter2»`",
  ],
  "queries and forms": [
    "https://api.example.com/v1?token=«abc»&page=2",
    "user=bob&password=«p%26w%3D»&x=1",
    "?api_key=«abc#top»",
    "user[password]=«x»&user%5Bpassword%5D=«y»&z=1",
    "redirect=%2Fcb%3Ftoken%3D«abc»%26page%3D2&x=1",
    "redirect=%252Fcb%253Fsecret%253D«a%252526b»%2526page%253D2",
    "body=%7B%22password%22%3A%22«a%5C%22b»%22%2C%22x%22%3A1%7D",
    "body=%7B%22token%22%3A+%22«abc»%22%7D",
    'Content-Disposition: form-data; name="password"\r\n\r\n«hunter2»\r\n--b',
    'form-data; name="token"\r\nContent-Type: text/plain\r\n\r\n«abc»\r\n--b',
    'curl "https://h/?access_token=«abc»" -o x',
    '<a href="/x?token=«abc»">link</a>',
  ],
};

for (const [kind, texts] of Object.entries(secrets)) {
  test(`hides the whole of ${kind}, and nothing else`, () => {
    for (const marked of texts) {
      const text = marked.replace(/[«»]/g, "");
      const expected = marked.replace(/«[^»]*»/g, "[secret]");
      assert.notEqual(text, expected);
      assert.equal(maskSecrets(text, true), expected);
      assert.equal(maskSecrets(expected, true), expected, "masked again");
    }
  });
}

const harmless: Readonly<Record<string, readonly string[]>> = {
  "documentation and schemas": [
    '{"type":"object","properties":{"token":{"type":"string"},"password":{"type":"string","minLength":8}}}',
    '{"required":["password","token"],"token":"string","password":"string"}',
    "token: string\npassword: str,\nsecret?: string | undefined;\napiKey: boolean",
    "interface Login { password: string; token: AccessToken; secret: Buffer }",
    "Authorization: Bearer <token>\nAuthorization: Basic ${credentials}\nAuthorization: Bearer $TOKEN",
    "Uses Basic authentication, then a bearer token; Bearer of news. Basic understanding is required.",
    "OPENAI_API_KEY=${OPENAI_API_KEY}\nTOKEN=$TOKEN\npassword: {{ password }}\nsecret=<your secret>\nPASSWORD=%s",
    'password: ********\ntoken: xxxxx\nsecret: ...\n"password": "***"',
    'password: null\ntoken: None\nsecret: undefined\n"password":true,"token":null}',
    "--token TOKEN   the token\n--password <password>\n[--secret SECRET] is required",
    "pg://${USER}:${PASSWORD}@host and pg://user:<password>@host",
  ],
  "counts and lists": [
    "tokens: 50, max_tokens: 1024, token_count: 12, total token: 15000",
    '{"usage":{"input_tokens":12,"output_tokens":3},"token_count":12,"token":50}',
    '{"nextPageToken":"CAUQAA","next_token":"abc=","continuationToken":"x1","sync_token":"y1"}',
    "https://api.example.com/list?pageToken=CAUQAA&page_token=abc",
    "password: 8\nminimum password length: 12",
  ],
  prose: [
    "the secret is out; a secret: the best ingredient is patience",
    "Password: must be at least 8 characters. Reset password: click here.",
    "Your token: see the dashboard. The API key: ask your administrator.",
    "password\n\nsecret\n\ntoken",
    "The secret, and the token, and the key.",
    "Enter your password:\nThen press enter.",
    "Forgot password? The authorization: required for all calls.",
  ],
  code: [
    "const password = process.env.PASSWORD;\nconst token = await getToken();\nthis.token = token;",
    'if (token === undefined) return; password = input("Password: ")\nsecret = os.environ["X"]',
    "return { token: accessToken, password: user.password, secret: config.secret };",
    "new Session({ apiKey: process.env.API_KEY, secret: loadSecret(), password: hashedPassword })",
    "login(password=password, token=self.token, secret=get_secret())",
    "Secret::new(x); secret://vault/path; let token: Option<String>",
    'class Token:\n    """A lexical token."""',
    "PWD=/home/bob\nOLDPWD=/tmp",
    "ssl_private_key: /etc/ssl/private.pem\nprivate_key=./key.pem",
    "Unexpected token: } in JSON at position 4",
  ],
  "identifiers, hashes and data": [
    "123e4567-e89b-12d3-a456-426614174000 d41d8cd98f00b204e9800998ecf8427e",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 sha512-abc/def==",
    `data:image/png;base64,${Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 7919) % 251)).toString("base64")}`,
    "task-force-2024 risk-adjusted disk-abcdefgh1 desk-1234567890abcdef sk-SK sk-circle-fade-dot",
    "npm_config_registry npm_package_name ghs_ AKIA ASIA-PACIFIC eyJ xoxo keyJson.items.length",
    "arn:aws:s3:::bucket/key git@github.com:org/repo.git git+ssh://git@github.com:org/repo.git#v1",
    "http://localhost:3000/@scope/pkg http://[::1]:8080/a@b https://example.com/a:b@c http://h:8080?to=bob@example.com",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\nMIG\n-----END PUBLIC KEY-----",
    "https://example.com/path?page=2&limit=10 mailto:bob@example.com",
    '{"key":"value","keys":["a"],"public_key":"abc","keyword":"x","secretName":"x","tokenType":"bearer"}',
    "[secret] password: [secret] pg://user:[secret]@host Bearer [secret]",
  ],
};

for (const [kind, texts] of Object.entries(harmless)) {
  test(`leaves ${kind} alone`, () => {
    for (const text of texts) assert.equal(maskSecrets(text, true), text);
  });
}

test("a secret field at any depth of JSON inside JSON is hidden whole, and all else can still be read", () => {
  const value = fc.string({ unit: "binary", minLength: 1 }).map((text) => `${text.replaceAll("[", "(")}Zq9`);
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 4 }), fc.boolean(), (password, depth, isPretty) => {
      let text = JSON.stringify({ user: "bob", password, after: 'a "b" c' }, undefined, isPretty ? 2 : 0);
      for (let level = 0; level < depth; level++) text = JSON.stringify({ body: text, x: [1] });
      let read = maskSecrets(text, true);
      for (let level = 0; level < depth; level++) read = JSON.parse(read).body;
      assert.deepEqual(JSON.parse(read), { user: "bob", password: "[secret]", after: 'a "b" c' });
    }),
  );
});

test("a password of any characters is hidden whole in a form and in a URL, as it should be encoded", () => {
  const password = fc.string({ unit: "binary", minLength: 1 }).map((text) => `${text.toWellFormed()}Zq9`);
  fc.assert(
    fc.property(password, (raw) => {
      const form = new URLSearchParams({ user: "bob", password: raw, page: "2" }).toString();
      assert.equal(maskSecrets(form, true), "user=bob&password=[secret]&page=2");
      const nested = new URLSearchParams({ next: `/cb?${form}`, x: "1" }).toString();
      assert.equal(maskSecrets(nested, true), "next=%2Fcb%3Fuser%3Dbob%26password%3D[secret]%26page%3D2&x=1");
      const url = `pg://bob:${encodeURIComponent(raw)}@host/db`;
      assert.equal(maskSecrets(`at ${url} now`, true), "at pg://bob:[secret]@host/db now");
    }),
  );
});

test("a password of printable characters in a URL is hidden whole even where it should have been encoded", () => {
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
  const password = fc
    .array(fc.constantFrom(...printable), { minLength: 1, maxLength: 24 })
    .map((parts) => `Zq${parts.join("")}9x`)
    // With both kinds in it, some passwords look like a host and what follows it.
    .filter((text) => !text.includes("://") && !(text.includes("@") && /[/?#]/.test(text)));
  fc.assert(
    fc.property(password, (raw) => {
      const masked = maskSecrets(`at pg://bob:${raw}@db.example.com/x now`, true);
      assert.equal(masked, "at pg://bob:[secret]@db.example.com/x now");
    }),
    { numRuns: 1_000 },
  );
});

test("a text that was cut shows nothing of a secret at its end", () => {
  for (const marked of Object.values(secrets).flat()) {
    const [before = "", secret = ""] = marked.split(/[«»]/);
    if (secret.startsWith("[secret]")) continue;
    // What tells the kind of a token, or opens a key block, is no secret yet.
    const open =
      /^(?:[a-z]{2,3}[-_](?:ant-|(?:live|test)_)?|github_pat_|glpat-|x[a-z]{3}-|A(?:KI|SI)A|AIza|ya29\.|eyJ|-----? ?BEGIN[A-Z0-9 +]*)?/.exec(
        secret,
      )![0].length;
    for (let length = open + 1; length <= secret.length; length++) {
      const masked = maskSecrets(before + secret.slice(0, length), false);
      assert.ok(!masked.endsWith(secret.slice(0, length)), `${before}«${secret.slice(0, length)} became ${masked}`);
      assert.ok(masked.includes("[secret]"), masked);
    }
  }
});

test("a clean text comes back as it is", () => {
  const clean = JSON.stringify({
    orders: [{ id: "o-1", status: "shipped", total: 1299, items: [{ sku: "A-100", name: "Lamp", quantity: 2 }] }],
    url: "https://shop.example.com/orders/o-1?page=2",
    note: "It should arrive by Friday; the customer asked for a refund.",
  });
  assert.equal(maskSecrets(clean, true), clean);
});

// Anything that grows faster than the text would take minutes here.
test("long hostile texts come to an end, whatever they hold", () => {
  const units = [
    "a@",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    '"password":"',
    '\\"password\\":\\"',
    "a",
    " ",
    "\\",
    "://",
    "a://b:",
    "a://b:c@",
    "x://u:x://u:",
    "%",
    "%3A%2F%2Fa%3A",
    "token%3D%22",
    "password=",
    "password: '",
    "password: [",
    ":&token",
    "token=a,a",
    "token=&a",
    "sk-",
    "sk-eyJ",
    "aeyJ",
    "eyJaaaaaaaaaaa.",
    "Bearer ",
    "Authorization: ",
    "<password>",
    "--password ",
    "password\n",
    "${",
    "token=${",
    "token=\\n",
    "password: aa ",
    '"token":["a",',
  ];
  for (const unit of units) {
    const text = unit.repeat(200_000 / unit.length);
    for (const isComplete of [true, false]) assert.equal(typeof maskSecrets(text, isComplete), "string");
  }
  for (const unit of ["a@", "-----BEGIN ", '"password":"', "a", " "]) {
    assert.equal(typeof maskSecrets(unit.repeat(1_000_000 / unit.length), true), "string");
  }
});
