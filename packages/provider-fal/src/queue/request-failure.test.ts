import { vendorAnswer } from '@genmount/provider-kit'
import { expect, test } from 'vitest'
import { modelFailure } from './request-failure.ts'

const words = 'Your prompt was blocked by our safety system'

test('the words of a model at fal that has failed reach the client from any field and from a plain text', () => {
  for (const json of [{ errors: [{ message: words }] }, { msg: words }, undefined]) {
    const answer = vendorAnswer({
      ok: false,
      status: 400,
      headers: new Headers(),
      bytes: new Uint8Array(),
      text: words,
      json,
    })
    expect(modelFailure(answer)).toMatchObject({
      code: 'content_policy',
      message: expect.stringContaining(words),
    })
  }
})
