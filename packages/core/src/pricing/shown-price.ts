import type { ModelPrice } from '../contracts/provider.ts'
import type { Price } from './price.ts'

/**
 * A price as clients see it.
 * @param per the unit of the price, in the singular: `image`, `second`
 * @returns `undefined` when there is no price
 * @example shownPrice(0.04, 'image') // { text: '0.04 USD per image', per: 'image', usd: 0.04 }
 */
export function shownPrice(price: Price | undefined, per: string): ModelPrice | undefined {
  switch (typeof price) {
    case 'undefined':
      return undefined
    case 'function':
      return { text: `calculated from the input of each job and its ${per}s` }
    case 'number':
      return { text: `${price} USD per ${per}`, per, usd: price }
    case 'object': {
      const { by: field, usd } = price
      const [[value, amount] = [], ...others] = Object.entries(usd)
      const rest = others.map(([other, dollars]) => `, ${dollars} USD with ${other}`).join('')
      return { text: `${amount} USD per ${per} with ${field} ${value}${rest}`, per, usdBy: { field, usd } }
    }
  }
}
