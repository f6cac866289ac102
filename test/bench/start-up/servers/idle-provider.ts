import type { Provider } from '@genmount/core'

const never = () => Promise.reject(new Error('Nothing is submitted here.'))

/** A provider with one model, whose schema is an object of the app's own. */
export const provider: Provider = {
  name: 'bench',
  models: [
    {
      id: 'bench',
      outputKind: 'image',
      input: { '~standard': { version: 1, vendor: 'bench', validate: () => ({ value: {} }) } },
    },
  ],
  submit: never,
  poll: never,
}
