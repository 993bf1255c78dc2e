import { useMay, useRead } from '../../../core/client/providers.tsx'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { type PersonDetail, type PersonRow, people, personForm } from '../../../core/contract/user/people.ts'
import { startOf } from '../../../core/engine/form/ask/begun.ts'
import { Ask } from '../../../core/engine/form/ask.tsx'
import type { CallAction, DialogProps, Words } from '../../../core/engine/screen.ts'
import type { Row } from '../../../core/engine/table/columns.ts'
import { Loaded } from '../../shared/loaded.tsx'

const fields = Object.keys(personForm)

/** What the toast says: whether a second person has to agree, and where the link of a new person goes. */
const said = (answer: unknown): Words => {
  const { approvalNo, sentTo } = answer as { approvalNo: string | null; sentTo?: string }
  if (sentTo === undefined) return approvalNo ? 'people.sentForApproval' : 'people.saved'
  return { key: approvalNo ? 'people.addedWaits' : 'people.added', params: { to: sentTo } }
}

type Given = Pick<DialogProps<PersonRow>, 'close'> & {
  row?: PersonRow
  call: typeof people.add | typeof people.update
} & Pick<CallAction<Row>, 'label' | 'from'>

/** The form of a person: a new one, or one that is changed. The salary is asked of those who may see it. */
const PersonForm = ({ row, call, label, from, close }: Given) => {
  const may = useMay()
  // Roles of a frozen account do not change: they are not asked for.
  const isFrozen = call === people.update && row?.userStatus === 'frozen'
  const asked = [...(call === people.add ? ['loginId'] : []), ...fields.filter(name => !isFrozen || name !== 'roleNos')]
  return (
    <Ask
      action={{
        run: call as Endpoint,
        label,
        button: 'common.save',
        ask: asked.filter(name => name !== 'baseSalary' || may.reveal('baseSalary')),
        from,
        confirm: 'people.moneyRole',
        done: said,
      }}
      rows={row ? [row] : []}
      rowKey="userNo"
      fields={people.page.row}
      close={close}
    />
  )
}

export const NewPerson = ({ close }: Pick<DialogProps<PersonRow>, 'close'>) => (
  <PersonForm call={people.add} label="actions.newUser" from={() => ({ internalUser: true })} close={close} />
)

/** The list does not hold all of what the form asks. */
export const EditPerson = ({ rows: [row], close }: DialogProps<PersonRow>) => (
  <PersonForm row={row} call={people.update} label="actions.editUser" from={people.detail} close={close} />
)

/** What a colleague in the same place has in common. */
const shared = ['deptNo', 'roleNos', 'principalMerchantNo', 'associatedMerchantNos', 'internalUser']
const placeOf = (known: PersonDetail) => startOf(shared, known)

export const CopyPerson = ({ rows: [row], close }: DialogProps<PersonRow>) => (
  <Loaded read={useRead(people.detail, { userNo: row.userNo })}>
    {known => (
      <PersonForm row={row} call={people.add} label="actions.copyUser" from={() => placeOf(known)} close={close} />
    )}
  </Loaded>
)
