import { describe, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { expectRefusal, otherRefusals } from './refused-folders.ts'

describe('the server prints one line and ends with exit code 1 when DATA_DIR', () => {
  test.each(Object.entries(otherRefusals))('%s', async (_what, prepare) => {
    await expectRefusal(prepare(temporaryFolder()))
  })

  test('is in a place where the system makes no folders', { tags: ['needs/linux'] }, async () => {
    await expectRefusal('/proc/genmount/data')
  })
})
