{{- define "genmount.labels" -}}
app.kubernetes.io/name: genmount
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
