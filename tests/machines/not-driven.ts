/** Legal rows that nothing in the house goes along through HTTP, by the reason; `transition.test.ts` drives these too. */
export const notDriven: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'retrieval and second reviews of refused orders have no screens yet': {
    order: [
      'machine_refused retrieval.retrieve to_be_allocated',
      'approval_rejected retrieval.retrieve to_be_allocated',
      'to_be_allocated retrieval.revert =M12.statusBefore',
      'pending_review retrieval.revert =M12.statusBefore',
      'machine_refused retrieval.revert =M12.statusBefore',
      'approval_rejected retrieval.revert =M12.statusBefore',
      'pending_disbursement retrieval.revert =M12.statusBefore',
      'funds_disbursed retrieval.revert funds_disbursed',
      'funds_disbursed payout.reversed =M12.statusBefore',
      'approval_rejected reReview.apply to_be_allocated',
      'machine_refused reReview.apply to_be_allocated',
    ],
  },
  'no rule cancels orders by itself yet': {
    order: [
      'pending_disbursement clock.autoCancel cancelled',
      'loan_failed clock.autoCancel cancelled',
      're_withdrawal_allowed clock.autoCancel cancelled',
    ],
  },
  'due dates are not extended yet': {
    order: ['funds_disbursed extend funds_disbursed'],
    plan: ['pending plan.extend extended', 'partial plan.extend extended', 'extended plan.unextend pending'],
    repaymentRecord: [
      '∅ repay.extension posted',
      'posted rollback.extensionToSettle rolled_back',
      'posted rollback.partialToExtension rolled_back',
    ],
  },
  'no payout waits for a look at the blacklist yet': {
    loanCode: ['created code.release created'],
  },
  'nobody is exempted from penalties yet': {
    plan: ['pending plan.exempt pending', 'partial plan.exempt partial', 'pending plan.exempt paid'],
  },
  'no channel tells anything that is no money': {
    statementLine: ['new line.ignore ignored'],
  },
  'receipts are not corrected or supplemented yet': {
    flow: [
      'draft flow.update draft',
      '∅ supplement.submit supplement_review',
      'supplement_review supplement.approve available',
      'supplement_review supplement.reject void',
    ],
  },
  'there are no refunds yet': {
    flow: ['available flow.toRefund exhausted', 'partly_used flow.toRefund exhausted'],
    overpayment: [
      'locked overflow.credit locked',
      'open refund.reserve locked',
      'locked refund.release open',
      'locked refund.paid cleared',
      'locked refund.paid open',
    ],
  },
  'one rollback serves every kind of record': {
    repaymentRecord: ['posted rollback.settle rolled_back'],
  },
  'nothing changes, and it is not written down': {
    importJob: ['running worker.crash running'],
    embedToken: ['active api.call active'],
  },
  'announcements have no screens yet': {
    announcement: [
      '∅ ann.save draft',
      'draft ann.save draft',
      'draft ann.publish scheduled',
      'draft ann.publishNow published',
      'scheduled clock.start published',
      'scheduled ann.abolish abolished',
      'published ann.abolish abolished',
      'abolished ann.restart published',
      'abolished ann.restart scheduled',
      'published clock.end expired',
      'abolished clock.end expired',
      'scheduled clock.end expired',
      'draft ann.delete expired',
    ],
  },
  'authenticators are not bound at sign-in yet': {
    mfa: [
      '∅ user.add unbound',
      'unbound bind.start binding',
      'binding bind.confirm bound',
      'binding bind.confirm binding',
      'binding clock.ttl unbound',
      'binding qr.refresh binding',
      'bound mfa.reset unbound',
      'bound recovery.use bound',
    ],
  },
}
