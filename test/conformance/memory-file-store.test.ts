import { describe, test } from 'vitest'
import { memoryFileStore } from '@genmount/core'
import { fileStoreSuite } from '@genmount/testing'

describe('files in memory', () => {
  for (const [name, run] of Object.entries(fileStoreSuite(() => ({ files: memoryFileStore() }))))
    test(name, run)
})
