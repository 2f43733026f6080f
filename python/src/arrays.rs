//! Arrays that the caller gives to be written.

use crate::errors::value_error;
use numpy::ndarray::Dimension;
use numpy::{Element, PyArray, PyArrayDescrMethods, PyArrayMethods, PyReadwriteArray, PyUntypedArray};
use numpy::{PyUntypedArrayMethods, dtype};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The array that the caller gave, or a new one of zeros. A given one must have this type of element and this shape,
/// its elements one after another in the order of C. `what` names it in errors.
pub fn given_or_new<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    what: &str,
    given: Option<&Bound<'py, PyAny>>,
    shape: D,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    match given {
        Some(array) => checked(what, array, shape),
        None => Ok(PyArray::zeros(py, shape, false)),
    }
}

/// An array that the caller gave: see [`given_or_new`].
pub fn checked<'py, T: Element, D: Dimension>(
    what: &str,
    array: &Bound<'py, PyAny>,
    shape: D,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let py = array.py();
    let expected = dtype::<T>(py);
    let Ok(untyped) = array.cast::<PyUntypedArray>() else {
        let found = array.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{what}: expected an array of {expected}, found {found}")));
    };
    if !untyped.dtype().is_equiv_to(&expected) {
        let found = untyped.dtype();
        return Err(PyTypeError::new_err(format!("{what}: expected an array of {expected}, found one of {found}")));
    }
    if untyped.shape() != shape.slice() {
        let text = |shape: &[usize]| PyTuple::new(py, shape).map(|shape| shape.to_string());
        let (expected, found) = (text(shape.slice())?, text(untyped.shape())?);
        return Err(value_error(format!("{what}: expected an array of the shape {expected}, found {found}")));
    }
    let array = array.cast::<PyArray<T, D>>().map_err(PyErr::from)?;
    // NumPy has arrays whose elements begin anywhere in memory.
    if !array.is_c_contiguous() || array.data().align_offset(align_of::<T>()) != 0 {
        return Err(value_error(format!(
            "{what}: expected an array whose elements follow one another in the order of C"
        )));
    }
    Ok(array.clone())
}

/// The memory of an array that is written.
pub fn writable<'py, T: Element, D: Dimension>(
    what: &str,
    array: &Bound<'py, PyArray<T, D>>,
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    array.try_readwrite().map_err(|_| value_error(format!("{what}: the array cannot be written")))
}

/// The elements of an array that [`checked`] has let through.
pub fn elements<'a, T: Element, D: Dimension>(memory: &'a mut PyReadwriteArray<'_, T, D>) -> PyResult<&'a mut [T]> {
    memory.as_slice_mut().map_err(value_error)
}
