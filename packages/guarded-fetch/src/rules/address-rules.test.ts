import { expect, test } from 'vitest'
import { isAllowedAddress, isPublicAddress } from './address-rules.ts'
import { hostileAddresses } from '../../../../test/guarded-fetch/hostile-addresses.ts'

test.each(hostileAddresses)('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '168.63.129.15',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '192.31.195.255',
  '192.176.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80e::200e',
  '2001:4860:4860:0:0:0:0:8888',
  '2001:200::1',
  '2620:4f:8001::1',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '',
  'localhost',
  'example.com',
  '127.1',
  '0x08080808',
  '134744072',
  '8.8.8.8.',
  ' 8.8.8.8',
  '8.8.8.8/8',
  '[::1]',
])('%j is not the plain form of an address, and so not public', (text) => {
  expect(isPublicAddress(text)).toBe(false)
})

test('an IPv6 address with a zone is refused as not public, whatever stands before the zone', () => {
  expect(isPublicAddress('fe80::1%eth0')).toBe(false)
  expect(isPublicAddress('2606:4700:4700::1111%1')).toBe(false)
})

test('a rule for IPv4 addresses also applies to the same addresses written as IPv6', () => {
  const seen: string[] = []
  const note = (address: string) => seen.push(address) > 0
  for (const address of ['::ffff:10.0.0.1', '::FFFF:A00:1', '64:ff9b::a00:1', '2606:4700:0::1111']) {
    isAllowedAddress(address, note)
  }
  expect(seen).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.1', '2606:4700::1111'])
})

test('an IPv4 address that is written as IPv6 keeps its zeros', () => {
  const seen: string[] = []
  const note = (address: string) => seen.push(address) > 0
  for (const address of ['64:ff9b::', '64:ff9b::5', '64:ff9b::808:0', '::ffff:0:0', '::ffff:0:5']) {
    isAllowedAddress(address, note)
  }
  expect(seen).toEqual(['0.0.0.0', '0.0.0.5', '8.8.0.0', '0.0.0.0', '0.0.0.5'])
})

test('an address rule that returns a promise by mistake allows no address', () => {
  const rule = (async () => true) as unknown as () => boolean
  expect(isAllowedAddress('127.0.0.1', rule)).toBe(false)
})
