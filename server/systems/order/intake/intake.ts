import { contract } from '../../../../core/contract/contract.ts'
import type { Tx } from '../../../db/database.ts'
import { hashOf } from '../../../http/idempotency.ts'
import { type Request, serveSigned } from '../../../http/serve.ts'
import type { Deps, Module } from '../../../module.ts'
import { type MerchantSecrets, merchantSecrets, merchantSigner } from '../../common/index.ts'
import { type ListValues, listValues } from '../../risk/name-list/index.ts'
import type { Merchant } from './checks.ts'
import { noteRefusal } from './refusal.ts'
import { replay } from './replay.ts'
import { sample } from './sample.ts'
import { asMerchant, merchantOf, take } from './take.ts'

/** The merchant whose system sends applications. */
const signer = async (tx: Tx, request: Request, secrets: MerchantSecrets | undefined): Promise<Merchant> => {
  const { merchantNo } = await merchantSigner(tx, request, secrets)
  return merchantOf(tx, merchantNo)
}

/** Where applications arrive, signed. */
const apply = (secrets: MerchantSecrets | undefined, lists: ListValues) =>
  serveSigned(contract.intake.apply, {
    signer: (tx, request) => signer(tx, request, secrets),
    async handle(call, merchant) {
      call.actor = asMerchant(call.actor, merchant)
      const { answer, isNew } = await take(call, { merchant, lists, payloadHash: hashOf(call.request.body) })
      const { orderNo } = answer
      if (!isNew) call.audit({ objectType: 'order', objectNo: orderNo, orderNo, after: { replayed: true } })
      return answer
    },
    refused: noteRefusal,
  })

const servedWith = (secrets: MerchantSecrets | undefined, lists: ListValues) => [
  apply(secrets, lists),
  replay(lists),
  sample(lists),
]

/** Without a key of the installation secrets are read as they stand, which only tests do. */
export const intakeModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => ({
  served: servedWith(secretKey && merchantSecrets(secretKey), listValues(secretKey ?? Buffer.alloc(32))),
})
