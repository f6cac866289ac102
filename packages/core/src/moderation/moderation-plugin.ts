import type { ServicePlugin } from '../contracts/service-plugin.ts'
import { checkModerate, type Moderate } from './moderate.ts'
import { moderateInput } from './moderate-input.ts'
import { moderateOutputs } from './moderate-outputs.ts'

/**
 * Applies your rules on content: one function checks the input before a job is stored, another checks the outputs before
 * any client can read them. Content that they do not explicitly allow is refused. It comes last among the plugins that
 * admit jobs, because a check may cost money.
 * @throws TypeError when a function is wrong
 * @example moderation({ input: async ({ input }) => ((await isFit(input)) ? 'allowed' : { refused: 'Not in this app.' }) })
 */
export function moderation(rules: Moderate): ServicePlugin {
  const { input, outputs } = checkModerate('moderation', rules)
  return {
    name: 'moderation',
    attach: (host) => ({
      admit:
        input &&
        (async ({ owner, model, input: sent }) =>
          moderateInput(input, host.clock, { owner, model, input: sent })),
      checkOutputs: outputs && ((job, made) => moderateOutputs(outputs, host, job, made)),
    }),
  }
}
