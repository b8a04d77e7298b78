{{- define "finrag.labels" -}}
app.kubernetes.io/name: finrag
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "finrag.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag }}
{{- end }}

{{- define "finrag.home" -}}
/var/lib/finrag
{{- end }}

{{- /* what a pod may write, and the instance of Dagster in it */ -}}
{{- define "finrag.volumes" -}}
- name: home
  emptyDir:
    sizeLimit: {{ .Values.scratch }}
- name: tmp
  emptyDir: {}
{{- end }}

{{- define "finrag.mounts" -}}
- name: home
  mountPath: {{ include "finrag.home" . }}
- name: tmp
  mountPath: /tmp
{{- end }}

{{- define "finrag.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "finrag.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "finrag.environment" -}}
envFrom:
  - configMapRef:
      name: {{ .Release.Name }}-settings
  - secretRef:
      name: {{ .Values.secret }}
{{- end }}

{{- define "finrag.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}
