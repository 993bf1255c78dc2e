import { attach } from '../../../core/contract/common/attachment.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'

const most = 5
const fileSchema = attach.save.input.shape.uploadNo

/** Up to five files that show why; another place appears once one is filled. */
export const FilesField = ({
  value,
  required = false,
  error,
  onChange,
}: {
  value: readonly string[]
  /** Nothing goes without the first of them. */
  required?: boolean
  error?: string | undefined
  onChange: (files: readonly string[]) => void
}) => {
  const t = useText()
  const places = [...value, ''].slice(0, most)
  const put = (at: number, file: unknown) => {
    const next = [...value]
    if (typeof file === 'string' && file !== '') next[at] = file
    else next.splice(at, 1)
    onChange(next)
  }
  return places.map((file, at) => (
    <Field
      // biome-ignore lint/suspicious/noArrayIndexKey: a place stays where it is while its file changes
      key={at}
      name="attachNos"
      label={places.length > 1 ? `${t('fields.attachNos')} ${at + 1}` : t('fields.attachNos')}
      schema={fileSchema}
      value={file || undefined}
      optional={at > 0 || !(required || error)}
      {...(error && at === 0 ? { error } : {})}
      onChange={next => put(at, next)}
    />
  ))
}
