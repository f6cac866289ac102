import { expect, test } from 'vitest'
import { type Backend, memoryBackend } from '@genmount/core'
import { backendSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'

const again = 'a backend is ready before its first use, and when it is asked again'
const unusable = 'a backend that can not be used says so before its first use, in words'
const stores = 'a backend that is ready stores jobs'
const refusing = (fault: unknown) => () => ({ ...memoryBackend(), ready: () => Promise.reject(fault) })

test('a backend that keeps the contract passes every case, with and without ready', async () => {
  expect(await failingCases(backendSuite(() => ({ backend: memoryBackend() })))).toEqual([])
  const ready = async () => {}
  const subject = () => ({
    backend: { ...memoryBackend(), ready },
    unusable: refusing(new Error('The folder data does not exist.')),
  })
  expect(await failingCases(backendSuite(subject))).toEqual([])
})

test.each<[string, (backend: Backend) => object, readonly string[]]>([
  ['is never ready', () => ({ ready: () => Promise.reject(new Error('not yet')) }), [again, stores]],
  [
    'is ready once',
    () => {
      let asked = 0
      return { ready: async () => expect(asked++).toBe(0) }
    },
    [again, stores],
  ],
  [
    'leaves what it tried with',
    ({ jobs }) => ({ ready: async () => void (await jobs.delete('job-1')) }),
    [stores],
  ],
])('a backend that %s is caught', async (_what, change, caught) => {
  const subject = () => {
    const backend = memoryBackend()
    return { backend: { ...backend, ...change(backend) } }
  }
  expect(await failingCases(backendSuite(subject))).toEqual(caught)
})

test.each<[string, () => Backend]>([
  ['says that it is ready', () => ({ ...memoryBackend(), ready: async () => {} })],
  ['can not be asked', () => memoryBackend()],
  ['throws a text', refusing('The folder data does not exist.')],
  ['has no words', refusing(new Error('ENOENT'))],
])('a backend that can not be used and %s is caught', async (_what, broken) => {
  const subject = () => ({ backend: memoryBackend(), unusable: broken })
  expect(await failingCases(backendSuite(subject))).toEqual([unusable])
})
