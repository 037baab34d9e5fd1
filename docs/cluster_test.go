package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// job is a Job of Kubernetes, as far as it says what its only container runs.
type job struct {
	Spec struct {
		Completions int
		Template    struct {
			Spec struct{ Containers []container }
		}
	}
}

type container struct {
	Image        string
	Args         []string
	WorkingDir   string `yaml:"workingDir"`
	Env          []struct{ Name, Value string }
	VolumeMounts []struct {
		Name      string
		MountPath string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

func manifest(t *testing.T, name string) (job, container) {
	t.Helper()
	var j job
	parse(t, read(t, "../deploy/kubernetes/"+name), &j)
	return j, j.Spec.Template.Spec.Containers[0]
}

// run runs the program as the image does in a pod; volumes are folders that stand for those of the pod, by name.
func (c *container) run(t *testing.T, program string, volumes map[string]string, env ...string) {
	t.Helper()
	here := func(path string) string {
		for _, m := range c.VolumeMounts {
			if below, ok := strings.CutPrefix(path, m.MountPath); ok {
				return volumes[m.Name] + below
			}
		}
		return path
	}
	command := exec.Command(program)
	for _, arg := range c.Args {
		command.Args = append(command.Args, here(arg))
	}
	command.Dir = here(c.WorkingDir)
	command.Env = append(os.Environ(), env...)
	for _, e := range c.Env {
		command.Env = append(command.Env, e.Name+"="+e.Value)
	}
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command.Args, err, said)
	}
}

const clusterStudy = `
[sweep]
params       = ["session.timeout.ms=10s..45s/3"]
metrics      = ["rebalances(mailer)", "p95(stopped(mailer))"]
replications = 7
`

// TestIndexedJob runs both Jobs of deploy/kubernetes pod by pod, one of them twice: the result is that of one process.
func TestIndexedJob(t *testing.T) {
	program, alone := filepath.Join(built(t), "simulate"), t.TempDir()
	volumes := map[string]string{"study": t.TempDir(), "shards": t.TempDir()}
	study := filepath.Join(volumes["study"], "study.toml")
	if err := os.WriteFile(study, []byte(read(t, "../scenarios/crash-loop.toml")+clusterStudy), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := container{Args: []string{"sweep", study, "--out", alone}}
	whole.run(t, program, nil)

	job, sweep := manifest(t, "sweep.yaml")
	for i := range job.Spec.Completions {
		sweep.run(t, program, volumes, fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i))
	}
	sweep.run(t, program, volumes, "JOB_COMPLETION_INDEX=2")
	_, merge := manifest(t, "merge.yaml")
	merge.run(t, program, volumes)

	for _, form := range []string{"txt", "csv", "json", "md"} {
		got, want := read(t, filepath.Join(volumes["shards"], "result", "sweep."+form)), read(t, filepath.Join(alone, "sweep."+form))
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// TestManifests holds together what has to be written twice.
func TestManifests(t *testing.T) {
	job, sweep := manifest(t, "sweep.yaml")
	if got, want := fmt.Sprint(sweep.Env), fmt.Sprint([]struct{ Name, Value string }{{"JOB_COMPLETIONS", strconv.Itoa(job.Spec.Completions)}}); got != want {
		t.Errorf("the environment is %s, want %s", got, want)
	}
	_, merge := manifest(t, "merge.yaml")
	if merge.Image != sweep.Image || !strings.Contains(read(t, "cluster.md"), "--tag "+sweep.Image+" .\n") {
		t.Errorf("the image is %s in sweep.yaml, %s in merge.yaml, and another one in cluster.md", sweep.Image, merge.Image)
	}
}
