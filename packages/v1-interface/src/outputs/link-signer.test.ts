import { expect, test } from 'vitest'
import { linkSigner } from './link-signer.ts'

const link = {
  fileKey: 'gen_1/\u00fcber 0',
  expiresAt: 2000,
  name: 'gen_1-0',
  owner: '\ud800 alice',
  keyId: 'key 1',
}
const secret = 'thirty-two characters or more of secret'

test('a signed link is valid until it expires, in every process with the same secret', async () => {
  const token = await linkSigner(secret).sign(link)
  expect(token).toMatch(/^[\w-]{16}\.[\w-]+$/)
  expect(await linkSigner(secret).verify(token, 1999)).toEqual(link)
  expect(await linkSigner(new TextEncoder().encode(secret)).verify(token, 1999)).toEqual(link)
  expect(await linkSigner(secret).verify(token, 2000)).toBeUndefined()
})

test('a link signed with another secret is invalid, and without the option each process has a secret of its own', async () => {
  const token = await linkSigner(secret).sign(link)
  expect(await linkSigner(`${secret}!`).verify(token, 0)).toBeUndefined()
  expect(await linkSigner(undefined).verify(token, 0)).toBeUndefined()
  expect(await linkSigner(undefined).verify(await linkSigner(undefined).sign(link), 0)).toBeUndefined()
})

test('a signed link with one changed character is invalid, also where only unused bits of base64 change', async () => {
  const { sign, verify } = linkSigner(secret)
  const token = await sign(link)
  for (let at = 0; at < token.length; at++) {
    for (const other of ['A', 'B', '-', '.', '='])
      if (token[at] !== other)
        expect(
          await verify(token.slice(0, at) + other + token.slice(at + 1), 0),
          `character ${at}`,
        ).toBeUndefined()
  }
})

test('a signed link does not show the owner of its file', async () => {
  for (const part of (await linkSigner(secret).sign(link)).split('.'))
    expect(Buffer.from(part, 'base64url').toString()).not.toMatch(/alice|gen_1|key 1/)
})

test('the same link gets the same token in every process with the same secret, and no two links share a nonce', async () => {
  const { sign } = linkSigner(secret)
  const token = await sign(link)
  expect(await sign({ ...link })).toBe(token)
  expect(await linkSigner(secret).sign(link)).toBe(token)
  const others = [
    { ...link, fileKey: 'gen_2' },
    { ...link, expiresAt: 2001 },
    { ...link, owner: 'bob' },
    { ...link, keyId: undefined },
  ]
  const nonces = await Promise.all([link, ...others].map(async (each) => (await sign(each)).split('.')[0]))
  nonces.push((await linkSigner(`${secret}!`).sign(link)).split('.')[0])
  expect(new Set(nonces).size).toBe(6)
})

test('a token of random text is invalid', async () => {
  const { verify } = linkSigner(secret)
  for (const garbage of ['', '.', '..', 'a', 'a.b', 'a.b.c', '%00', '\u20ac.\u20ac', 'x'.repeat(100_000)])
    expect(await verify(garbage, 0)).toBeUndefined()
})

test('a secret that is passed as bytes is copied, so that the app may wipe its own', async () => {
  const bytes = new TextEncoder().encode(secret)
  const { sign } = linkSigner(bytes)
  bytes.fill(0)
  expect(await linkSigner(secret).verify(await sign(link), 0)).toEqual(link)
})
