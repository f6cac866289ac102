import { test } from 'vitest'
import { checkSpreadLives } from './spread-lives.ts'

test('no part is paid for twice, and a death loses at most the part that was being submitted, in 15 random lives', () =>
  checkSpreadLives(15))
