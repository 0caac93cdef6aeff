//! Fields as columns of arrays.

use lockstep_games::{Field, Value};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

enum Column {
    Flags(Vec<bool>),
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Texts(Vec<String>),
}

/// Columns of fields, row by row; every row has the same fields.
pub struct Columns {
    real: &'static [&'static str],
    columns: Vec<(&'static str, Column)>,
}

impl Columns {
    /// No rows; `real` names the columns of real numbers.
    pub const fn new(real: &'static [&'static str]) -> Self {
        let columns = Vec::new();
        Self { real, columns }
    }

    pub fn add(&mut self, fields: Vec<Field>) {
        if self.columns.is_empty() {
            let column = |field: &Field| match &field.value {
                _ if self.real.contains(&field.name) => Column::Real(Vec::new()),
                Value::Flag(_) => Column::Flags(Vec::new()),
                Value::Text(_) => Column::Texts(Vec::new()),
                _ => Column::Whole(Vec::new()),
            };
            self.columns = fields
                .iter()
                .map(|field| (field.name, column(field)))
                .collect();
        }
        for ((_, column), field) in self.columns.iter_mut().zip(fields) {
            let whole = match field.value {
                Value::Number(number) => i64::try_from(number).ok(),
                Value::Signed(number) => Some(number),
                _ => None,
            };
            match column {
                Column::Flags(all) => all.push(field.value == Value::Flag(true)),
                Column::Whole(all) => all.push(whole.unwrap_or(-1)),
                Column::Real(all) => all.push(match &field.value {
                    Value::Text(text) => text.parse().unwrap_or(f64::NAN),
                    _ => whole.map_or(f64::NAN, |whole| whole as f64),
                }),
                Column::Texts(all) => all.push(field.value.to_string()),
            }
        }
    }

    /// One array for each column; the arrays take over the columns' memory.
    pub fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        for (name, column) in self.columns {
            let array = match column {
                Column::Flags(all) => PyArray1::from_vec(py, all).into_any(),
                Column::Whole(all) => PyArray1::from_vec(py, all).into_any(),
                Column::Real(all) => PyArray1::from_vec(py, all).into_any(),
                Column::Texts(all) => all.into_pyobject(py)?.into_any(),
            };
            dict.set_item(name, array)?;
        }
        Ok(dict)
    }
}
