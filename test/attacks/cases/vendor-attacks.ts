import type { Attack, Target } from '../attack.ts'
import { create } from '../connections.ts'

/** Creates jobs whose vendor answers with what the prompt names, three at a time, and reads the answers. */
const jobsWith =
  (prompt: string) =>
  async ({ onEach, isOver }: Target): Promise<void> =>
    onEach(3, async (connection) => {
      const request = create(JSON.stringify({ model: 'hostile', prompt }), '/v1/generate?wait=true')
      while (!isOver() && (await connection.send(request))) await connection.answer()
    })

/**
 * Attacks of a vendor by its answers, of 30 MB each. JSON is read up to 100,000 keys and values, which are up to 2 MB of
 * each answer, three times: as bytes, as text and as a value.
 */
export const vendorAttacks = {
  'a vendor that answers with wide JSON': { budgetMb: 30, run: jobsWith('wide JSON') },
  'a vendor that answers with deep JSON': { budgetMb: 30, run: jobsWith('deep JSON') },
  'a vendor that answers with 900,000 outputs': { budgetMb: 30, run: jobsWith('many outputs') },
} satisfies Record<string, Attack>
