import { expect, test } from 'vitest'
import { httpExtensionSuite, httpSuite } from '@genmount/testing/http'
import { hosts } from './hosts.ts'
import { casesAboutPathsAndBodies, everyCase, nowhere, testHosts } from './test-hosts.ts'

test('the HTTP suite for the base interface has at least eighty cases', () => {
  expect(Object.keys(httpSuite(nowhere)).length).toBeGreaterThanOrEqual(80)
})

test('no case of the HTTP suite for the extensions has the name of a case for the base interface', () => {
  const extensions = Object.keys(httpExtensionSuite(nowhere)).length
  expect(everyCase.length).toBe(Object.keys(httpSuite(nowhere)).length + extensions)
})

test('the cases that a variant of a host goes through are cases of the HTTP suite', () => {
  expect(casesAboutPathsAndBodies.filter((promise) => !everyCase.includes(promise))).toEqual([])
})

// The deep suite puts the variants through every case, also two that are here by another host under a prefix.
testHosts(
  hosts.filter(({ name }) => !['Express 5 under a prefix', 'fetch on Deno under a prefix'].includes(name)),
  ({ isVariant }) => (isVariant ? casesAboutPathsAndBodies : everyCase),
)
