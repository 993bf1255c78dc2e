import { limitOf } from '../../../http/defence/limit.ts'
import type { Deps, Module } from '../../../module.ts'
import { bindServed } from './bind.ts'
import { challengeExpiry } from './challenge.ts'
import { changeServed } from './change.ts'
import { codeServed } from './code.ts'
import { factorsServed } from './factors.ts'
import { openLink } from './link.ts'
import { lockedQueue } from './locked.ts'
import { loginServed } from './login.ts'
import { startServed } from './start.ts'

/**
 * What may be tried: sign-ins that one client begins for one account in a minute, all that an address begins in a minute, and those
 * from an address that fail in ten.
 */
export type Limits = { challenges: number; perAddress: number; failures: number }
const usual: Limits = { challenges: 30, perAddress: 600, failures: 50 }

/** Signing in, step by step (M01): slide, password or link, authenticator or its binding, another password, session. */
export const signInModule = ({ secretKey }: Pick<Deps, 'secretKey'>, limits: Partial<Limits> = {}): Module => {
  const { challenges, perAddress, failures } = { ...usual, ...limits }
  const begun = limitOf(challenges, 60)
  const begunAt = limitOf(perAddress, 60)
  return {
    served: [
      ...startServed({ begun, begunAt }),
      loginServed(limitOf(failures, 600)),
      openLink,
      ...codeServed(secretKey),
      ...factorsServed(secretKey),
      ...bindServed(secretKey),
      changeServed,
    ],
    queues: [lockedQueue],
    scheduled: [challengeExpiry],
  }
}
