import { expect, test } from 'vitest'
import { type HostedExample, servedHosted, vendorKeys, vendorModels } from './hosted-server.ts'

/** Declares a test of an example with the keys of all vendors. @param own the models that need no vendor */
export function testAllKeys(example: HostedExample, own: readonly string[]): void {
  test(`the example ${example} with the keys of all vendors serves the models of all vendors, each once, and prints no key`, async () => {
    const { server, models, make } = await servedHosted(example, { FAKE_KEYS: vendorKeys.join() })
    for (const [key, ids] of Object.entries(vendorModels))
      expect(server.output).toContain(`Found ${key}: ${ids.join(', ')}\n`)
    expect(server.output).not.toContain('Not set')
    const ids = [...new Set(Object.values(vendorModels).flat())]
    expect((await models()).toSorted()).toEqual([...own, ...ids].toSorted())
    // Films are left out: they take long even with a fake, because the first poll comes after their usual duration. An edit
    // needs a picture.
    const pictures = ids.filter(
      (id) => !/veo|wan|video|omni|gen4\.5|seedance|kling-3|turbo|vidu|-edit$/.test(id),
    )
    const jobs = await Promise.all(pictures.map((id) => make(id)))
    expect(jobs.map(({ status, error }) => [status, error])).toEqual(pictures.map(() => ['completed', null]))
    const [, held = ''] = /The fakes want (\S+)\n/.exec(server.output) ?? []
    const secrets = held.split(',')
    // COMFYUI_URL is an address and no secret.
    expect(secrets).toHaveLength(vendorKeys.length - 1)
    const rest = server.output.replace(held, '') + JSON.stringify(jobs)
    for (const secret of secrets) expect(rest).not.toContain(secret)
    expect(rest).not.toContain('is refused')
  })
}
