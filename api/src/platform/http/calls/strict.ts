import type { Call } from '@parts-forge/contract/calls/call';
import * as z from 'zod/mini';

/** An ignored field is one that does something else than its sender means: `amount` of a refund. */
export const strictBody = ({ body }: Pick<Call, 'body'>): z.ZodMiniType =>
  refuseUnknownFields(body ?? z.object({}));

/** An ignored filter answers all rows. Pages, which links name, take any. */
export const strictQuery = ({ query }: Pick<Call, 'query'>): z.ZodMiniType =>
  refuseUnknownFields(query ?? z.object({}));

/** Also in nested objects; `z.looseObject` still takes all. */
function refuseUnknownFields(schema: z.ZodMiniType): z.ZodMiniType {
  const strict = (inner: z.core.$ZodType) => refuseUnknownFields(inner as z.ZodMiniType);
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, strict(field)]);
      return z.clone(schema, {
        ...def,
        shape: Object.fromEntries(fields),
        catchall: def.catchall ?? z.never(),
      } as never);
    }
    case 'array':
      return z.clone(schema, { ...def, element: strict(def.element) } as never);
    case 'optional':
    case 'nullable':
      return z.clone(schema, { ...def, innerType: strict(def.innerType) } as never);
    case 'union':
      return z.clone(schema, { ...def, options: def.options.map(strict) } as never);
    default:
      return schema;
  }
}
