import { a1111Cases } from '../a1111/a1111-cases.ts'
import { arkCases } from '../ark/ark-cases.ts'
import { bflCases } from '../bfl/bfl-cases.ts'
import { falCases } from '../fal/fal-cases.ts'
import { googleCases } from '../google/google-cases.ts'
import { openaiCases } from '../openai/openai-cases.ts'
import { replicateCases } from '../replicate/replicate-cases.ts'
import { runwayCases } from '../runway/runway-cases.ts'
import type { VendorCase } from '../vendor-case.ts'
import { xaiCases } from '../xai/xai-cases.ts'

/** The vendors whose jobs lose their process: each vendor with tasks, and one that answers within the call. */
export const killedCases: Readonly<Record<string, VendorCase>> = {
  ...replicateCases,
  ...falCases,
  ...bflCases,
  ...runwayCases,
  'google omni': googleCases['google omni']!,
  'openai responses': openaiCases['openai responses']!,
  'ark film': arkCases['ark film']!,
  'xai film': xaiCases['xai film']!,
  ...a1111Cases,
}
