import { expect, test } from 'vitest'
import { addressOf, jobAddress, readAddress } from './address.ts'

test('an address says the list, its filters and its search, and reads them back', () => {
  const query = { state: 'failed', owner: 'a&b=c #?/%', q: '%', model: undefined, empty: '' }
  const address = addressOf('jobs', query)
  expect(readAddress(address)).toEqual({
    view: 'jobs',
    job: undefined,
    query: { state: 'failed', owner: 'a&b=c #?/%', q: '%' },
  })
})

test('a job has an address of its own, whatever its id is', () => {
  for (const id of ['gen_1', 'a/b?c#d', '100%'])
    expect(readAddress(jobAddress(id))).toMatchObject({ view: 'jobs', job: id })
})

test('an address that nobody has made shows the jobs', () => {
  for (const hash of ['', '#', '#/', '#/constructor', '#nonsense?a'])
    expect(readAddress(hash)).toMatchObject({ view: 'jobs', job: undefined })
  expect(readAddress('#/jobs/%E0%A4%A').job).toBe('%E0%A4%A')
})
