import { vi } from 'vitest'

vi.stubEnv('FUZZ_BUDGET', '1')
await import('./never-a-500.test.ts')
