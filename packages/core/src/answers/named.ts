import { errorAnswer, meta } from './answers.ts'
import { eventEntities } from './events.ts'
import { oauthAnswers } from './oauth.ts'
import * as records from './records.ts'
import * as settings from './settings.ts'
import * as summaries from './summaries.ts'
import * as webhooks from './webhooks.ts'

/** The schemas of answers and of their parts, by the names that documents call them by. */
export const namedAnswers = {
  Person: records.personDetail,
  PersonListItem: records.personItem,
  PersonSummary: summaries.personSummary,
  PersonSnapshot: eventEntities.person,
  Company: records.companyDetail,
  CompanyListItem: records.companyItem,
  CompanySummary: summaries.companySummary,
  Deal: records.dealDetail,
  DealListItem: records.dealItem,
  DealSummary: summaries.dealSummary,
  Pipeline: settings.pipeline,
  Stage: settings.stage,
  Task: records.task,
  TaskType: summaries.taskType,
  Activity: records.activityDetail,
  ActivityListItem: records.activityItem,
  Attachment: records.attachment,
  Product: settings.product,
  Tag: summaries.tag,
  List: settings.list,
  ListSummary: summaries.listSummary,
  CustomField: settings.customField,
  SelectOption: settings.option,
  CustomFieldValue: summaries.customValue,
  Address: summaries.address,
  Email: summaries.email,
  Phone: summaries.phone,
  Owner: summaries.owner,
  Member: settings.member,
  MemberSnapshot: eventEntities.member,
  Workspace: settings.workspace,
  Webhook: webhooks.webhook,
  WebhookWithSecret: webhooks.webhookMade,
  Delivery: webhooks.deliveryDetail,
  DeliveryListItem: webhooks.deliveryItem,
  Attempt: webhooks.attempt,
  UsageLog: eventEntities.usage_log,
  App: oauthAnswers.app,
  Tokens: oauthAnswers.tokens,
  PageMeta: meta,
  Error: errorAnswer,
} as const
