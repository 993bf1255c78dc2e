import { type ReactNode, useState } from 'react'
import type { OrderBasic } from '../../../core/contract/order/order.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Reveal } from '../../../core/engine/table/reveal.tsx'
import { Badge, Button } from '../../../core/ui/basics.ts'
import { CallForm } from './call-form.tsx'
import { useWork } from './work.ts'
import { WorkSection } from './work-section.tsx'

type Contact = NonNullable<OrderBasic['contacts']>[number]
type Result = Contact['lastFollowResult']

const self = 'self'

type PersonProps = {
  /** The customer, or the number of a contact. */
  of: string
  name: string
  relation: string
  phone: ReactNode
  /** What came of the last call. */
  result: Result
  open: boolean
  toggle: () => void
  done: (saved: NonNullable<Result>) => void
}

const Person = ({ of: key, name, relation, phone, result, open, toggle, done }: PersonProps) => {
  const t = useText()
  return (
    <div className="mk-person">
      <div className="mk-person-line">
        <div>
          {name} <span className="mk-muted">{relation}</span> {phone}
          {result && (
            <Badge color={result === 'confirmed' ? 'green' : result === 'denied' ? 'red' : 'gray'}>
              {t(`dict.FOLLOW_RESULT.${result}`)}
            </Badge>
          )}
        </div>
        <Button
          size="1"
          variant="ghost"
          aria-expanded={open}
          aria-label={t('audit.recordOf', { name })}
          onClick={toggle}
        >
          {t('audit.record')}
        </Button>
      </div>
      {open && <CallForm contactNo={key === self ? undefined : key} done={done} />}
    </div>
  )
}

/** Who can be called about this order, the last result, and the form to write down the next call. */
export const Calls = () => {
  const t = useText()
  const { basic } = useWork()
  const [open, setOpen] = useState<string | null>(null)
  const [fresh, setFresh] = useState<Readonly<Record<string, NonNullable<Result>>>>({})
  const { customer, contacts } = basic

  const lineOf = (key: string, last: Result) => ({
    of: key,
    result: fresh[key] ?? last,
    open: open === key,
    toggle: () => setOpen(open === key ? null : key),
    done: (saved: NonNullable<Result>) => {
      setFresh({ ...fresh, [key]: saved })
      setOpen(null)
    },
  })
  return (
    <WorkSection title={t('audit.calls')}>
      <Person
        {...lineOf(self, null)}
        name={customer.customerName}
        relation={t('order.customerSelf')}
        phone={<Reveal kind="phone" name="phone" masked={customer.phone} of="customer" row={customer} />}
      />
      {contacts?.map(contact => (
        <Person
          key={contact.contactNo}
          {...lineOf(contact.contactNo, contact.lastFollowResult)}
          name={contact.contactName}
          relation={t(`dict.RELATION_TYPE.${contact.relation}`)}
          phone={<Reveal kind="phone" name="contactPhone" masked={contact.contactPhone} of="contact" row={contact} />}
        />
      ))}
    </WorkSection>
  )
}
