using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

public readonly partial struct FieldTable
{
    /// <summary>A place among the fields of a table.</summary>
    public struct Enumerator
    {
        private FieldCursor _cursor;
        private AmqpString _key;
        private FieldValue _value;

        internal Enumerator(FieldCursor cursor) => _cursor = cursor;

        /// <summary>The field: its key and its value.</summary>
        public readonly KeyValuePair<AmqpString, FieldValue> Current => new(_key, _value);

        /// <summary>Goes to the next field; false when there is none.</summary>
        /// <exception cref="AmqpFormatException">The bytes are damaged.</exception>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public bool MoveNext()
        {
            if (_cursor.IsAtEnd)
            {
                return false;
            }

            _key = _cursor.ReadKey();
            _value = _cursor.ReadValue();
            return true;
        }
    }
}
