import { messageTemplates } from '../../core/contract/operation/message-template.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { GapsDialog, TemplateDetail, templateHead } from './message/template-detail.tsx'
import { EditTemplate, NewTemplate } from './message/template-form.tsx'

const { save, copy, enable, disable, test } = messageTemplates

/** Operations and collection leads write what customers are sent at each business node, in three languages. */
export default listScreen({
  list: messageTemplates.page,
  rowKey: 'templateNo',
  filters: [
    'pointCode',
    'channelType',
    'language',
    'templateStatus',
    'templateName',
    'appCode',
    'contactType',
    'merchantNo',
  ],
  presets: [
    { label: 'messageTemplate.drafts', filters: { templateStatus: ['draft'] } },
    { label: 'messageTemplate.inForce', filters: { templateStatus: ['enabled'] } },
  ],
  columns: [
    'templateNo',
    'templateName',
    'templateStatus',
    'nodeName',
    'channelType',
    'language',
    { id: 'content', width: 260 },
    'segments',
    'appCode',
    'contactType',
    'merchantName',
    'sentIn7Days',
    'deliveredRate',
    'templateVersion',
    'updatedBy',
    'updatedTime',
  ],
  more: ['pointCode', 'eventKey', 'title'],
  toolbar: () => [
    { label: 'actions.templateGaps', needs: { perm: messageTemplates.page.perm }, dialog: GapsDialog },
    { label: 'actions.newTemplate', needs: { perm: save.perm, audit: save.audit }, dialog: NewTemplate },
  ],
  row: act => [
    act(enable, { label: 'actions.enableTemplate', confirm: 'messageTemplate.confirmEnable' }),
    { label: 'actions.editTemplate', needs: save, dialog: EditTemplate },
    act(copy, { label: 'actions.copyTemplate', ask: ['language', 'appCode', 'merchantNo'], from: 'row' }),
    act(test, {
      label: 'actions.testTemplate',
      input: ([row]) => ({ templateNo: row?.templateNo ?? '' }),
      confirm: 'messageTemplate.confirmTest',
      done: 'messageTemplate.tested',
    }),
    act(disable, { label: 'actions.disableTemplate', tone: 'danger', confirm: 'messageTemplate.confirmDisable' }),
  ],
  head: templateHead,
  detail: row => <TemplateDetail row={row} />,
  also: [messageTemplates.detail, messageTemplates.preview, messageTemplates.nodes, messageTemplates.gaps],
})
