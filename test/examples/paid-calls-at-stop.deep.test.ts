import { test } from 'vitest'
import { expectNoPictureLost } from './paid-calls-at-stop.ts'

test.concurrent.for([
  ['standalone-node', 100_000],
  ['hosted-providers', 20_000],
] as const)(
  'SIGTERM lets the example %s wait %i ms for eight pictures that OpenAI makes, and deliver all',
  ([example, pictureMs], { onTestFinished }) => expectNoPictureLost({ example, pictureMs }, onTestFinished),
)
