/**
 * A key and a certificate that signs itself, for `*.lab.test` and 127.0.0.1, from 2020 to 2120. They are of no use outside these
 * tests. Kept here because Node.js makes no certificates, and openssl is not on every machine.
 */
export const LAB_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1BOTN31tVemaXNoK
R2A3Ab+uQNUY36LetFs6wPMXnWahRANCAARgxTygfhWgplBmNJFC+tnNzjGHNKXF
XkA8ayrpxojriqvAdLZHwt9RnNYWovHWMgpKphFrC5lcAXx0MAFA+a+i
-----END PRIVATE KEY-----
`

export const LAB_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBZzCCAQygAwIBAgIBATAKBggqhkjOPQQDAjATMREwDwYDVQQDDAhsYWIudGVz
dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowEzERMA8GA1UEAwwI
bGFiLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARgxTygfhWgplBmNJFC
+tnNzjGHNKXFXkA8ayrpxojriqvAdLZHwt9RnNYWovHWMgpKphFrC5lcAXx0MAFA
+a+io08wTTAbBgNVHREEFDASggoqLmxhYi50ZXN0hwR/AAABMA8GA1UdEwEB/wQF
MAMBAf8wHQYDVR0OBBYEFHfoNu3RMYtaHvGXa2WK34iqBa63MAoGCCqGSM49BAMC
A0kAMEYCIQDFWoSn1QL+xEcFm9RLfaJoBJuN5xjqF7Hq1b8W/kdwqAIhAPQABJwA
WvTAtYprL3iHHSXLXe91CZx0WvMU56z6pXHa
-----END CERTIFICATE-----
`
