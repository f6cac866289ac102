import { expect, test } from 'vitest'
import { type HostedExample, printedByFailure, servedHosted } from './hosted-server.ts'

/** Declares what an example does with keys of vendors that are wrong. */
export function testWrongKeys(example: HostedExample): void {
  test('with a key that the vendor refuses names the variable soon after the start and in the job, and does not show the key', async () => {
    const key = 'sk-wrong-5f0c1d2e'
    const { server, make } = await servedHosted(example, { FAKE_KEYS: '', OPENAI_API_KEY: key })
    await server.heard(/^OPENAI_API_KEY is refused by /m)
    const job = await make('gpt-image-2.6-flare')
    expect(job.error).toMatch(/^provider_rejected: .*does not accept the credentials/)
    expect(server.output).toContain('Incorrect API key provided')
    expect(server.output + JSON.stringify(job)).not.toContain(key)
  })

  test('with a text that can be no key names the variable, exits with 1, and does not show the text', async () => {
    const wrong = { FAKE_KEYS: 'FAL_KEY', OPENAI_API_KEY: 'sk-two words' }
    const printed = await printedByFailure(example, wrong)
    expect(printed).toMatch(/^.*OPENAI_API_KEY.*must be an API key/m)
    expect(printed).not.toContain('words')
    expect(printed).not.toContain('listens')
  })
}
