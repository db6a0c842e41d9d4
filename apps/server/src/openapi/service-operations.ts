import { notFound } from '@sales-crm/core'
import { itemResponse } from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { UNKNOWN_PARAMETER } from './body-errors.ts'
import type { Operation } from './operation.ts'

const HEALTH_RESPONSE = {
  name: 'HealthResponse',
  schema: itemResponse(v.strictObject({ status: v.literal('ok') })),
}

export const GET_FILE: Operation = {
  id: 'getFile',
  tag: 'Files',
  summary: 'Download an image or an attachment',
  description:
    'The URL is part of the record. No token is required: the key consists of 256 random bits. ' +
    'The content of a URL never changes.',
  params: {
    workspace: {
      description: "The workspace's id.",
      isId: true,
      example: '01a1fc31-266f-71b1-a74e-0e333b1a6109',
    },
    key: {
      description: "The file's key.",
      isId: false,
      example: '205bbe4cda1e5e166bbc774e144f07e8502d8d6cfd52f3c4aba2d8df5ef5a291',
    },
  },
  success: {
    status: 200,
    description: 'The content, with its media type.',
    types: ['*/*'],
    headers: {
      'Cache-Control': 'One year.',
      'Content-Disposition': '`inline` for images; `attachment` and the file name for attachments.',
      'Content-Security-Policy': 'Blocks scripts.',
    },
  },
  errors: [notFound('File'), UNKNOWN_PARAMETER],
}

export const GET_DOCUMENT: Operation = {
  id: 'getOpenApiDocument',
  tag: 'Service',
  summary: 'Retrieve this document',
  description: 'Generated from the routes and schemas of the service.',
  isFixed: true,
  success: {
    status: 200,
    description: 'An OpenAPI 3.1 document.',
    response: {
      name: 'OpenApiDocument',
      schema: v.looseObject({ openapi: v.string(), paths: v.looseObject({}) }),
    },
    headers: { 'Cache-Control': 'Five minutes.' },
  },
  errors: [],
}

export const GET_HEALTH: Operation = {
  id: 'getHealth',
  tag: 'Service',
  summary: 'Check liveness',
  isFixed: true,
  description: 'Not rate limited.',
  success: { status: 200, description: 'The process is running.', response: HEALTH_RESPONSE },
  errors: [],
}

export const GET_READINESS: Operation = {
  id: 'getReadiness',
  tag: 'Service',
  summary: 'Check readiness',
  description: 'Not rate limited.',
  mayBeUnready: true,
  isFixed: true,
  success: { status: 200, description: 'The service accepts traffic.', response: HEALTH_RESPONSE },
  errors: [],
}
