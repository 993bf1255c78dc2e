import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { field } from '../../../core/contract/fields.ts'
import { sensitiveInfo } from '../../../core/contract/operation/sensitive-info.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../../core/engine/form/field-words.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Button, Flex } from '../../../core/ui/basics.ts'
import { Drawer } from '../../../core/ui/overlay/drawer.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Asked = InputOf<typeof sensitiveInfo.seenBy>
const asks = { customerNo: field.key(), orderNo: field.key(), fromDate: field.date(), toDate: field.date() }

const Found = ({ asked }: { asked: Asked }) => {
  const t = useText()
  const read = useRead(sensitiveInfo.seenBy, asked)
  return (
    <Loaded read={read}>
      {({ list }) => (
        <SmallTable
          schema={sensitiveInfo.seenBy.output.shape.list.element}
          rows={list}
          rowKey="userNo"
          names={['realName', 'seenKinds', 'seenCount', 'firstTime', 'lastTime']}
          empty={t('sensitiveInfo.nobodySaw')}
        />
      )}
    </Loaded>
  )
}

/** Who saw a customer in full, by customer or order: what a notice of a breach needs. */
export const SeenBy = ({ close }: DialogProps<never>) => {
  const t = useText()
  const today = eatDate(new Date())
  const [values, setValues] = useState<Partial<Asked>>({ fromDate: addDays(today, -30), toDate: today })
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [asked, setAsked] = useState<Asked | null>(null)
  const search = () => {
    const found = wrongIn(sensitiveInfo.seenBy.input, values)
    setWrong(found)
    if (Object.keys(found).length === 0) setAsked(values as Asked)
  }
  return (
    <Drawer open onClose={() => close()} title={t('sensitiveInfo.seenBy')}>
      <div className="mk-form">
        {Object.entries(asks).map(([name, schema]) => (
          <Field
            key={name}
            name={name}
            schema={schema}
            value={values[name as keyof Asked]}
            {...(wrong[name] === undefined ? {} : { error: messageOf(t, wrong[name], schema) })}
            onChange={value => setValues({ ...values, [name]: value })}
          />
        ))}
        <Flex mb="4">
          <Button onClick={search}>{t('sensitiveInfo.search')}</Button>
        </Flex>
      </div>
      {asked && <Found asked={asked} />}
    </Drawer>
  )
}
