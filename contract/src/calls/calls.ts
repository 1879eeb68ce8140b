import type { Call } from './call.ts';
import * as modules from './call-modules.ts';
import { policies } from './policies.ts';

type Name = keyof typeof policies;
type Calls = Pick<typeof modules, Name>;

const exported: Calls = { ...modules };
const names = Object.keys(policies) as Name[];

/** The call of each policy, by its name and in the policies' order. */
export const calls = Object.fromEntries(
  names.map((name) => [name, exported[name]]),
) as Calls satisfies Record<Name, Call>;
