import { buildOperatorPage } from '../../packages/operator/src/build-page/build-operator-page.ts'
import { buildPlayground } from '../../packages/playground/src/build/build-playground.ts'

let built:
  | {
      readonly playground: ReturnType<typeof buildPlayground>
      readonly operator: ReturnType<typeof buildOperatorPage>
    }
  | undefined

/** Builds both pages once in this process. */
export const builtPages = () => (built ??= { playground: buildPlayground(), operator: buildOperatorPage() })
