import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { checkRefusal } from './standalone.ts'

describe('the server prints one line and ends with exit code 1 when DATA_DIR', () => {
  test('is a folder within a file', () =>
    checkRefusal((folder) => {
      writeFileSync(join(folder, 'file'), '')
      return join(folder, 'file', 'data')
    }))

  test('contains a folder with the name of the database', () =>
    checkRefusal((folder) => {
      mkdirSync(join(folder, 'jobs.db'))
      return folder
    }))

  test('is in a place where the system makes no folders', { tags: ['needs/linux'] }, () =>
    checkRefusal(() => '/proc/genmount/data'),
  )
})
