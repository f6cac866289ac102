import { manualClock } from '@genmount/testing'
import { expect, test } from 'vitest'
import { type JobWrite, writeQueue } from './write-queue.ts'

type Answer = (values: readonly any[]) => Promise<Record<string, unknown>[]>

const insertOf = (id: string): JobWrite => ({ name: 'insert', values: [id, 'alice'] })
const replaceOf = (id: string): JobWrite => ({ name: 'replace', values: [id, 1, 'running', 2] })
const written: Answer = async () => [{ id: 'written' }]
const allWritten: Answer = async ([text]) => JSON.parse(text).map(({ n }: { n: number }) => ({ n }))
const refusal = (code: string) => new Error('for the operator', { cause: { code } })

/** A queue on a database that answers as it is told, and what was sent: the statement and the ids of its jobs. */
function queueOn({ one = written, several = allWritten }: { one?: Answer; several?: Answer } = {}) {
  const sent: string[] = []
  const clock = manualClock()
  const write = writeQueue((name, values) => {
    const ids =
      name === 'writeSeveral' ? JSON.parse(String(values[0])).map((record: any) => record.id) : [values[0]]
    sent.push(`${name} ${ids}`)
    return (name === 'writeSeveral' ? several : one)(values)
  }, clock)
  return { sent, clock, write }
}

test('a write is sent at once when no other is under way', async () => {
  const { sent, write } = queueOn()
  const writing = write(replaceOf('b'))
  expect(sent).toEqual(['replace b'])
  expect(await writing).toBe(true)
  expect(await write(insertOf('a'))).toBe(true)
  expect(sent).toEqual(['replace b', 'insert a'])
})

test('writes that begin while another is under way are one statement, in the order of their ids', async () => {
  const { sent, write } = queueOn()
  const outcomes = await Promise.all([replaceOf('c'), replaceOf('b'), insertOf('a')].map(write))
  expect(outcomes).toEqual([true, true, true])
  expect(sent).toEqual(['replace c', 'writeSeveral a,b'])
})

test('no statement makes more than fifty writes', async () => {
  const { sent, write } = queueOn()
  await Promise.all(Array.from({ length: 102 }, (_, n) => write(replaceOf(`job-${n}`))))
  expect(sent.map((each) => each.split(',').length)).toEqual([1, 50, 50, 1])
})

test('a write among others that writes nothing is tried alone, and its outcome is that of the second try', async () => {
  const { sent, write } = queueOn({
    several: async () => [{ n: 1 }],
    one: async ([id]) => (id === 'b' ? [] : [{ id }]),
  })
  const outcomes = await Promise.all([replaceOf('a'), replaceOf('b'), replaceOf('c')].map(write))
  expect(outcomes).toEqual([true, false, true])
  expect(sent).toEqual(['replace a', 'writeSeveral b,c', 'replace b'])
})

test('a job that the server refuses to store fails only its own write', async () => {
  const one: Answer = async ([id]) => {
    if (id === 'bad') throw refusal('22P02')
    return [{ id }]
  }
  const several = () => Promise.reject(refusal('22P02'))
  const { sent, write } = queueOn({ one, several })
  const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map((id) => write(replaceOf(id))))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(sent).toEqual(['replace a', 'writeSeveral bad,c', 'replace bad', 'replace c'])
})

test.each(['ECONNRESET', 'EPIPE', '57P01'])(
  'writes of one statement are not sent again when its connection breaks (%s), because they may have been made',
  async (code) => {
    const { sent, write } = queueOn({ several: () => Promise.reject(refusal(code)) })
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((id) => write(replaceOf(id))))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(sent).toEqual(['replace a', 'writeSeveral b,c'])
  },
)

test('writes wait no longer than 25 ms for a statement that is not answered', async () => {
  const { sent, clock, write } = queueOn({ one: () => new Promise(() => {}) })
  void write(replaceOf('a'))
  const others = Promise.all([write(replaceOf('b')), write(replaceOf('c'))])
  await clock.advance(24)
  expect(sent).toEqual(['replace a'])
  await clock.advance(1)
  expect(await others).toEqual([true, true])
  expect(sent).toEqual(['replace a', 'writeSeveral b,c'])
})
