import { createHook } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { diskFiles } from './disk-files.ts'

test('to store a small file takes six calls that wait for the disk: open, write, sync, rename, and open and sync of the folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'genmount-disk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = diskFiles({ folder })
  await files.put('a', Buffer.from('a kite'), 'text/plain')
  let calls = 0
  const hook = createHook({ init: (_, type) => void (type.startsWith('FSREQ') && calls++) }).enable()
  await files.put('b', Buffer.from('a kite'), 'text/plain')
  hook.disable()
  expect(calls).toBe(6)
  expect(await files.open?.('b')).toMatchObject({ size: 6 })
})
