import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import { field } from '../../../core/contract/fields.ts'
import { type BaseType, feedbackTypes } from '../../../core/contract/telemarketing/base-option.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Choose } from '../../../core/ui/choose/choose.tsx'
import { Labelled } from '../../../core/ui/labelled.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

type Props = { baseType: BaseType; close: () => void }

/** Subtypes are chosen below the feedback type that they belong to. */
const Subtypes = () => {
  const t = useText()
  const [type, setType] = useState<unknown>(feedbackTypes.values[0])
  const [value, setValue] = useState<string>()
  const { data } = useRead(common.options, { KEY: 'CS_SUBTYPE' })
  const offered = data?.list.filter(one => one.enabled && one.parent === type) ?? []
  return (
    <>
      <Field
        name="parentCode"
        schema={field.dict(feedbackTypes)}
        value={type}
        onChange={next => {
          setType(next)
          setValue(undefined)
        }}
      />
      <Labelled label={dictText(t, 'BASE_TYPE', 'CS_SUBTYPE')}>
        {tied => (
          <Choose
            tied={tied}
            label={dictText(t, 'BASE_TYPE', 'CS_SUBTYPE')}
            options={offered}
            value={value === undefined ? [] : [value]}
            single
            onChange={next => setValue(next[0])}
            words={{
              search: t('common.search'),
              none: t('common.noMatch'),
              clear: t('common.clear'),
              choose: t('common.choose'),
            }}
          />
        )}
      </Labelled>
    </>
  )
}

/** What staff see when they choose: the options in force, in their order. Nothing is sent. */
export const FormPreview = ({ baseType, close }: Props) => {
  const t = useText()
  const [value, setValue] = useState<unknown>()
  return (
    <ModalDialog open onClose={close} title={t('baseOption.preview')} footer={<DialogCancel />}>
      <Text as="p" size="2" color="gray" mb="3">
        {t('baseOption.previewHint')}
      </Text>
      {baseType === 'CS_SUBTYPE' ? (
        <Subtypes />
      ) : (
        <Field
          name={`option.${baseType}`}
          label={dictText(t, 'BASE_TYPE', baseType)}
          schema={field.option(baseType)}
          value={value}
          onChange={setValue}
        />
      )}
    </ModalDialog>
  )
}
