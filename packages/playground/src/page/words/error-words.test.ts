import { GenmountError } from '@genmount/client'
import { expect, test } from 'vitest'
import { errorWords, failureWords } from './error-words.ts'

test('an error whose code the page does not know has a general title, also if every object has something of that name', () => {
  for (const code of ['a_new_code', 'constructor', 'toString']) {
    expect(errorWords(new GenmountError(code, 'No.'))).toEqual({
      title: 'The request has failed',
      text: 'No.',
    })
    expect(failureWords(`${code}: No.`)).toEqual({ title: 'The job has failed', text: 'No.' })
  }
})
