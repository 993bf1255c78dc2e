import { useState } from 'react'
import type { OrderBasic } from '../../../core/contract/order/order.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Reveal } from '../../../core/engine/table/reveal.tsx'
import { Badge, Button } from '../../../core/ui/basics.ts'
import { CallForm } from './call-form.tsx'
import { useWork } from './work.ts'
import { WorkSection } from './work-section.tsx'

type Contact = OrderBasic['contacts'][number]
type Result = Contact['lastFollowResult']

const self = 'self'

/** Who can be called about this order, what came of it last, and the form to write down the next call. */
export const Calls = () => {
  const t = useText()
  const { basic } = useWork()
  const [open, setOpen] = useState<string | null>(null)
  const [fresh, setFresh] = useState<Readonly<Record<string, NonNullable<Result>>>>({})
  const { customer, contacts } = basic

  const person = (key: string, name: string, relation: string, phone: React.ReactNode, last: Result) => {
    const result = fresh[key] ?? last
    return (
      <div key={key} className="mk-person">
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
            aria-expanded={open === key}
            aria-label={t('audit.recordOf', { name })}
            onClick={() => setOpen(open === key ? null : key)}
          >
            {t('audit.record')}
          </Button>
        </div>
        {open === key && (
          <CallForm
            contactNo={key === self ? undefined : key}
            done={saved => {
              setFresh({ ...fresh, [key]: saved })
              setOpen(null)
            }}
          />
        )}
      </div>
    )
  }
  return (
    <WorkSection title={t('audit.calls')}>
      {person(
        self,
        customer.customerName,
        t('order.customerSelf'),
        <Reveal kind="phone" name="phone" masked={customer.phone} of="customer" row={customer} />,
        null,
      )}
      {contacts.map(contact =>
        person(
          contact.contactNo,
          contact.contactName,
          t(`dict.RELATION_TYPE.${contact.relation}`),
          <Reveal kind="phone" name="contactPhone" masked={contact.contactPhone} of="contact" row={contact} />,
          contact.lastFollowResult,
        ),
      )}
    </WorkSection>
  )
}
