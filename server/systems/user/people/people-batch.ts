import { people } from '../../../../core/contract/user/people.ts'
import { serveEach } from '../../../http/serve.ts'
import { changes } from '../../../states/changes.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { associatedOf, checkPlace, checkUntil, setMerchants } from './people-place.ts'
import { heldRoles, setRoles } from './people-roles.ts'
import { lockPerson } from './people-source.ts'

/** The same change to several people, one by one. */
export const batchUpdate = serveEach(people.batchUpdate, {
  async prepare({ tx, session, input }) {
    const { deptNo, principalMerchantNo, addMerchantNos = [], validUntil } = input
    const merchantNos = [...(principalMerchantNo ? [principalMerchantNo] : []), ...addMerchantNos]
    await checkPlace(tx, session, { ...(deptNo ? { deptNo } : {}), merchantNos })
    checkUntil(tx, validUntil)
  },
  ids: ({ userNos }) => [...new Set(userNos)],
  async row(userNo, call) {
    const { tx, session, input, actor, audit } = call
    const person = await lockPerson(tx, session, userNo)
    requireEvent('userAccount', person.userStatus, 'user.update')
    const associated = await associatedOf(tx, person)
    const held = await heldRoles(tx, userNo)
    const { deptNo, principalMerchantNo, validUntil, internalUser } = input
    const given = { deptNo, principalMerchantNo, validUntil, internalUser }
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const wanted = new Set([...held, ...(input.addRoleNo ? [input.addRoleNo] : [])])
    if (input.removeRoleNo) wanted.delete(input.removeRoleNo)
    const roles = await setRoles(call, person, [...wanted])
    const changed = await transition(tx, 'userAccount', person, { event: 'user.update', set }, actor)
    const gone = input.removeMerchantNos ?? []
    const merchants = [...associated, ...(input.addMerchantNos ?? [])].filter(no => !gone.includes(no))
    await setMerchants(tx, userNo, [changed.principalMerchantNo, ...merchants])
    const lines = changes(
      { ...person, associatedMerchantNos: associated.join(', '), roleNos: held.join(', ') } as never,
      {
        ...set,
        associatedMerchantNos: (await associatedOf(tx, changed)).join(', '),
        roleNos: (await heldRoles(tx, userNo)).join(', '),
        ...(roles.approvalNo ? { approvalNo: roles.approvalNo } : {}),
      },
    )
    audit({ objectType: 'user', objectNo: userNo, ...lines })
  },
})
