import { expect, test } from 'vitest'
import { classifyUrl } from './url-rules.ts'
import {
  hostileAddresses,
  hostileUrls,
  loopbackSpellings,
} from '../../../../test/guarded-fetch/hostile-addresses.ts'

const reasonFor = (url: string | URL) => {
  const verdict = classifyUrl(url)
  return verdict.allowed ? 'allowed' : verdict.refusal.reason
}

test.each(hostileUrls)('%j is refused because of its %s', (url, reason) => {
  expect(reasonFor(url)).toBe(reason)
})

test.each(hostileAddresses)('a URL with the literal host %s is refused', (address) => {
  expect(reasonFor(address.includes(':') ? `https://[${address}]/a.png` : `https://${address}/a.png`)).toBe(
    'address',
  )
})

test.each(loopbackSpellings)('the spelling %s of a loopback address is refused', (host) => {
  expect(reasonFor(`http://${host}:8080/`)).toBe('address')
})

test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'app.localhost',
  'printer.local',
  'metadata.google.internal',
  'metadata.google.internal.',
  'router.home.arpa',
  'db.localdomain',
  'intranet',
])('the local name %s is refused', (host) => {
  expect(reasonFor(`http://${host}/`)).toBe('address')
})

test.each([
  'http://example.com',
  'https://example.com:443/a.png?signature=x#part',
  'http://example.com:8188/view',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://münchen.example/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
])('%s is allowed', (url) => {
  expect(classifyUrl(url)).toEqual({ allowed: true, url: new URL(url) })
})

test('the message about a refused URL contains neither its user info nor its path nor its query', () => {
  const secret = 'hunter2'
  for (const url of [
    `http://${secret}:x@host.example/`,
    `${secret}:x@host.example`,
    `http://10.0.0.1/${secret}?key=${secret}#${secret}`,
    `https://host.example:22/${secret}?key=${secret}`,
    `http://[${secret}`,
  ]) {
    const verdict = classifyUrl(url)
    expect(verdict.allowed ? '' : `${verdict.refusal.stack}`).toMatch(/refused|parsed/)
    expect(JSON.stringify({ ...verdict }) + String(!verdict.allowed && verdict.refusal)).not.toContain(secret)
  }
})
