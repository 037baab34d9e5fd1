package clientconfig

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	springYAML       = regexp.MustCompile(`(?m)^\s*spring\s*:\s*(#.*)?$`)
	springProperties = regexp.MustCompile(`(?mi)^\s*spring\.[\w.-]+\s*[=:]`)
)

// Detect says which format a file seems to have, by the end of its name and by its content.
func Detect(name string, text []byte) Format {
	extension := strings.ToLower(filepath.Ext(name))
	switch {
	case extension == ".json":
		return Librdkafka
	case extension == ".yml" || extension == ".yaml":
		return Spring
	case bytes.HasPrefix(bytes.TrimLeft(text, "\ufeff \t\r\n"), []byte("{")):
		return Librdkafka
	case springProperties.Match(text):
		return Spring
	case extension != ".properties" && springYAML.Match(text):
		return Spring
	}
	return Properties
}

// isYAML reports whether a file of Spring is YAML and no properties.
func isYAML(name string, text []byte) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yml", ".yaml":
		return true
	case ".properties":
		return false
	}
	return springYAML.Match(text) || !springProperties.Match(text) // YAML has keys with dots too
}
