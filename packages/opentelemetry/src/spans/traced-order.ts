import type { RouteOrder } from '@genmount/core'
import type { Tracer } from '../client/tracer.ts'
import { inSpan } from './in-span.ts'

/** Wraps the order of a model's routes, so that each choice makes a span with the first route and the reason. */
export function tracedOrder(order: RouteOrder, tracer: Tracer): RouteOrder {
  return (ordered, offers) =>
    inSpan(
      tracer,
      {
        name: `order routes ${ordered.model}`,
        kind: 0,
        attributes: { 'gen_ai.request.model': ordered.model },
      },
      async () => order(ordered, offers),
      (choice) => ({
        attributes: choice
          ? { 'genmount.route': String(choice.routes[0]), 'genmount.route.why': choice.why }
          : {},
      }),
    )
}
