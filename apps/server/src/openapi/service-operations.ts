import { itemResponse, notFound } from '@sales-crm/core'
import * as v from 'valibot'
import { UNKNOWN_PARAMETER } from './body-errors.ts'
import type { Operation } from './operation.ts'

const HEALTH_RESPONSE = {
  name: 'HealthAnswer',
  schema: itemResponse(v.strictObject({ status: v.literal('ok') })),
}

export const GET_FILE: Operation = {
  id: 'getFile',
  tag: 'Files',
  summary: 'Read a picture or an attachment',
  description:
    'For whoever has its address, as it is answered with its record: ' +
    'the key is 256 random bits, and no token is asked for. What an address leads to never changes.',
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
    description: 'Its bytes, with their own media type.',
    type: '*/*',
    headers: {
      'Cache-Control': 'For a year.',
      'Content-Disposition': '`inline` for pictures, `attachment` for attachments, with the name.',
      'Content-Security-Policy': 'Lets nothing in it run.',
    },
  },
  errors: [notFound('File'), UNKNOWN_PARAMETER],
}

export const GET_DOCUMENT: Operation = {
  id: 'getOpenApiDocument',
  tag: 'Service',
  summary: 'Read this document',
  description: 'Made from the routes and schemas that serve.',
  isFixed: true,
  success: {
    status: 200,
    description: 'An OpenAPI document, version 3.1.',
    response: {
      name: 'OpenApiDocument',
      schema: v.looseObject({ openapi: v.string(), paths: v.looseObject({}) }),
    },
    headers: { 'Cache-Control': 'For five minutes.' },
  },
  errors: [],
}

export const GET_HEALTH: Operation = {
  id: 'getHealth',
  tag: 'Service',
  summary: 'Whether the process runs',
  isFixed: true,
  description: 'Not counted by any limit.',
  success: { status: 200, description: 'It does.', response: HEALTH_RESPONSE },
  errors: [],
}

export const GET_READINESS: Operation = {
  id: 'getReadiness',
  tag: 'Service',
  summary: 'Whether the service takes traffic',
  description: 'Not counted by any limit.',
  mayBeUnready: true,
  isFixed: true,
  success: { status: 200, description: 'It does.', response: HEALTH_RESPONSE },
  errors: [],
}
