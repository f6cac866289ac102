import assert from 'node:assert/strict'
import { modelOf, type ProviderCases } from './task-run.ts'

export const modelCases: ProviderCases = {
  'provider and models have names, and no two models the same': async ({ provider }) => {
    assert.ok(typeof provider.name === 'string' && provider.name !== '', 'the provider has a name')
    const ids = provider.models.map(({ id }) => id)
    assert.ok(ids.length > 0, 'the provider has a model')
    for (const id of ids) assert.ok(typeof id === 'string' && id.trim() === id && id !== '', `model id ${id}`)
    assert.equal(new Set(ids).size, ids.length, `model ids ${ids}`)
  },

  'models say what they make, and their numbers are sane': async ({ provider }) => {
    for (const { id, outputKind, retentionDays = 1, typicalMs = 1 } of provider.models) {
      assert.ok(outputKind === 'image' || outputKind === 'video', `${id} makes ${outputKind}`)
      assert.ok(
        Number.isInteger(retentionDays) && retentionDays >= 1,
        `${id} keeps for ${retentionDays} days`,
      )
      assert.ok(Number.isFinite(typicalMs) && typicalMs > 0, `${id} takes ${typicalMs} ms`)
    }
  },

  'the schema takes the sample and gives JSON': async (trial) => {
    const result = await modelOf(trial).input['~standard'].validate(trial.sample.input)
    assert.ok(!result.issues, `the sample is refused: ${JSON.stringify(result.issues)}`)
    const json = JSON.parse(JSON.stringify(result.value))
    assert.ok(typeof json === 'object' && json !== null && !Array.isArray(json), 'the schema gives an object')
  },

  'the schema refuses unknown fields': async (trial) => {
    const result = await modelOf(trial).input['~standard'].validate({
      ...trial.sample.input,
      no_such_field: 1,
    })
    assert.ok(result.issues, 'an unknown field is taken')
  },

  'the schema refuses what is no object, and does not throw': async (trial) => {
    for (const input of [null, undefined, 'text', 1, true, [], [trial.sample.input]]) {
      const result = await modelOf(trial).input['~standard'].validate(input)
      assert.ok(result.issues, `${JSON.stringify(input)} is taken`)
    }
  },
}
