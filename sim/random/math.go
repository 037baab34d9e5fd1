package random

import "math"

// math.Log and math.Exp have assembly for some architectures, and a compiler may fuse x*y+z into one
// rounding unless the product is converted explicitly. These versions give the same bits everywhere.

// ln returns the natural logarithm of a positive, finite x.
func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	z := (m - 1) / (m + 1)
	z2 := float64(z * z)
	sum := 0.0
	for k := 25; k >= 1; k -= 2 {
		sum = float64(sum*z2) + 1/float64(k)
	}
	return float64(float64(e)*math.Ln2) + float64(2*z*sum)
}

// exp returns e^x, 0 below and +Inf above the range of float64.
func exp(x float64) float64 {
	if x > 709 {
		return math.Inf(1)
	}
	if x < -745 {
		return 0
	}
	k := math.Floor(x/math.Ln2 + 0.5)
	r := x - float64(k*math.Ln2)
	sum := 1.0
	for n := 20; n >= 1; n-- {
		sum = 1 + float64(float64(sum*r)/float64(n))
	}
	return math.Ldexp(sum, int(k))
}

// normQuantile returns the quantile p, 0 < p < 1, of the standard normal distribution.
// Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988); relative accuracy about 1e-16.
func normQuantile(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return q * polynomial(r, &centralNum) / polynomial(r, &centralDen)
	}
	r := p
	if q > 0 {
		r = 1 - p
	}
	r = math.Sqrt(-ln(r))
	var z float64
	if r <= 5 {
		z = polynomial(r-1.6, &middleNum) / polynomial(r-1.6, &middleDen)
	} else {
		z = polynomial(r-5, &tailNum) / polynomial(r-5, &tailDen)
	}
	if q < 0 {
		return -z
	}
	return z
}

func polynomial(x float64, c *[8]float64) float64 {
	sum := c[7]
	for i := 6; i >= 0; i-- {
		sum = float64(sum*x) + c[i]
	}
	return sum
}

var (
	centralNum = [8]float64{3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3}
	centralDen = [8]float64{1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3}
	middleNum  = [8]float64{1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504, 1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4}
	middleDen  = [8]float64{1, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1, 1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}
	tailNum    = [8]float64{6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7}
	tailDen    = [8]float64{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}
)
