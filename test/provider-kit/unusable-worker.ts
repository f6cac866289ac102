throw new Error('no paint in this house')
